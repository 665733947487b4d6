/**
 * Lets a child process run the sample from its sources (`node --import ./typescript.mjs main.ts`): a second sooner than
 * the loader of `npm run start:dev`, and the tests start several.
 */
import { register } from 'node:module';

register('./typescript.hooks.mjs', import.meta.url);
