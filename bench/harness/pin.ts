/**
 * One core for the server, another for the load: where the operating system lets us say so.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** Whether processes can be kept on a core. */
export const canPin = availableParallelism() > 1 && works('taskset', '-V');

/** A command that begins on all cores: by itself it would be kept on the core of whoever makes it. */
export function onAllCores(command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ['taskset', ['--cpu-list', `0-${cpus().length - 1}`, command, ...args]] : [command, [...args]];
}

/** Keeps a server, with all its threads, on the servers' core. */
export function moveToServerCore(pid: number): void {
  if (canPin) moveTo(SERVER_CORE, pid);
}

/** Keeps this process, which makes the load, off the servers' core. */
export function moveToLoadCore(): void {
  if (canPin) moveTo(LOAD_CORE, process.pid);
}

function moveTo(core: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', core, String(pid)], { stdio: 'ignore' });
}

function works(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
