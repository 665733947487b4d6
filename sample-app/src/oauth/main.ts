/**
 * `npm run start:oauth`: an authorization server, and the shop with its protected gates open for that server's tokens.
 */
import { serveShop } from '../serve.js';
import { portFault } from '../settings/port-fault.js';
import { StartFault } from '../settings/start-fault.js';
import { wholeNumber } from '../settings/whole-number.js';
import { type AuthorizationServer, openAuthorizationServer } from './authorization-server.js';
import { connectionNote } from './connection-note.js';

const COMMAND = 'npm run start:oauth';

let gates: readonly string[] = [];
let server: AuthorizationServer | undefined;
try {
  server = await openServer(wholeNumber(process.env, 'OAUTH_PORT', 3001, 65_535));
  process.env['SHOP_ISSUER'] = server.issuer; // as whoever deploys the shop would
  gates = await serveShop((note) => console.log(note), COMMAND);
  console.log(connectionNote(server.issuer, gates));
} catch (fault) {
  console.error(fault instanceof StartFault ? fault.message : fault);
  process.exitCode = 1;
  await server?.close();
}

async function openServer(port: number): Promise<AuthorizationServer> {
  try {
    return await openAuthorizationServer({ port, isGate: (resource) => gates.some((gate) => isSame(gate, resource)) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== 'listen') throw cause;
    const wanted = { host: '127.0.0.1', port, variable: 'OAUTH_PORT', command: COMMAND };
    throw portFault(cause as NodeJS.ErrnoException, wanted);
  }
}

/** A client that was told `localhost` asks for tokens under that name. */
function isSame(gate: string, resource: string): boolean {
  return resource === gate || resource === gate.replace('127.0.0.1', 'localhost');
}
