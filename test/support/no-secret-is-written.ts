/** Stands around every test file: no secret, token or Authorization header may stand in anything that it wrote (A9). */
import { startReading, stopReading, tellingLines } from './written.js';

beforeAll(startReading);
afterAll(() => {
  stopReading();
  const telling = tellingLines();
  if (telling.length > 0) throw new Error(`A secret was written to a log (A9):\n${telling.join('\n')}`);
});
