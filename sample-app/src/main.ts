/** `npm start`: opens the shop, or says in one sentence why it cannot. */
import { serveShop } from './serve.js';
import { StartFault } from './settings/start-fault.js';

try {
  await serveShop((note) => console.log(note));
} catch (fault) {
  console.error(fault instanceof StartFault ? fault.message : fault);
  process.exitCode = 1;
}
