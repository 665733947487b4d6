/**
 * All that one test file writes, and every secret that it brings into the world: Nest's loggers whatever their level (also
 * of an application whose log is off), the console, both streams of the process, and what a test hands in.
 */
import 'reflect-metadata';
import diagnostics from 'node:diagnostics_channel';
// Its channels live as long as the module: one that is asked for before it is loaded may be collected, and replaced unheard.
import 'node:http';
import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common/services/logger.service.js';

const lines: string[] = [];
const secrets = new Set<string>();
let undo: (() => void)[] = [];

/** Everything written so far. */
export function writtenLines(): readonly string[] {
  return lines;
}

/** For what writes nowhere else: a log kept by a test, the output of a child process. */
export function alsoRead(line: string): void {
  lines.push(line);
}

/** Remembers a secret; a token in its parts too. Too short a text would be found by chance. */
export function keep<T extends string>(secret: T): T {
  for (const part of [secret, ...secret.split('.')]) if (part.length >= 12) secrets.add(part);
  return secret;
}

/** Every secret so far. */
export function keptSecrets(): readonly string[] {
  return [...secrets];
}

/** The lines in which a secret stands, or what looks like one. */
export function tellingLines(): readonly string[] {
  const known = keptSecrets();
  return lines.filter((line) => LOOKS_SECRET.test(line) || known.some((secret) => line.includes(secret)));
}

/** A header with credentials, or a signed token. */
const LOOKS_SECRET = /\b(bearer|basic) +[\w.~+/-]{12,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}/i;

export function startReading(): void {
  for (const level of ['log', 'warn', 'error', 'debug', 'verbose', 'fatal'] as const)
    undo.push(record(Logger.prototype, level));
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) undo.push(record(console, method));
  for (const stream of [process.stdout, process.stderr]) undo.push(record(stream, 'write'));
  diagnostics.subscribe('http.server.request.start', keepCredentials);
  undo.push(() => diagnostics.unsubscribe('http.server.request.start', keepCredentials));
}

export function stopReading(): void {
  for (const back of undo.toReversed()) back();
  undo = [];
}

/** Whatever any server of this file is sent as credentials is a secret, whoever made it. */
function keepCredentials(message: unknown): void {
  const { headers, url = '' } = (message as { request: IncomingMessage }).request;
  const [, credentials = headers.authorization] = /^\S+ +(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (credentials !== undefined) keep(credentials);
  for (const [, token = ''] of url.matchAll(/[?&](?:access_)?token=([^&]+)/g)) keep(token);
}

type Methods<Name extends string> = Record<Name, (...args: never[]) => unknown>;

function record<Name extends string>(target: Methods<Name>, name: Name): () => void {
  const original = target[name];
  target[name] = function (this: unknown, ...args: never[]) {
    lines.push(args.map(textOf).join(' '));
    return original.apply(this, args);
  };
  return () => void (target[name] = original);
}

function textOf(said: unknown): string {
  return said instanceof Error ? `${said.stack} ${JSON.stringify(said)}` : String(said);
}
