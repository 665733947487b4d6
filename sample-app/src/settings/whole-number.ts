import { StartFault } from './start-fault.js';

/** Reads a whole number from an environment variable. @throws StartFault when it holds something else. */
export function wholeNumber(env: NodeJS.ProcessEnv, name: string, byDefault: number, max: number): number {
  const text = env[name]?.trim();
  if (!text) return byDefault;
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new StartFault(`${name} is "${text}": give a whole number from 0 to ${max}, or leave it out for ${byDefault}.`);
}
