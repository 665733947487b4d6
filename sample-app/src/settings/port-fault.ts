import { StartFault } from './start-fault.js';

/** A port that somebody wanted to listen on, and how to name another one. */
export interface WantedPort {
  readonly host: string;
  readonly port: number;
  /** The environment variable that names it. */
  readonly variable: string;
  readonly command: string;
}

/** Why it cannot be had, and the way out. */
export function portFault(cause: NodeJS.ErrnoException, { host, port, variable, command }: WantedPort): StartFault {
  const message =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken. ${variable}=0 ${command} takes a free one.`
      : cause.code === 'EACCES'
        ? `Port ${port} needs rights that you do not have. Choose one from 1024 on: ${variable}=3000 ${command}`
        : `Port ${port} of ${host} cannot be listened on: ${cause.message}`;
  return new StartFault(message, { cause });
}
