/**
 * Floor: bare `node:http`. Reads the JSON body and sends a fixed object: what no server can be faster than.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { callAnswer, listAnswer } from '../workload/answers.js';
import { listen, options } from './serve.js';
import { openStream, streamProgress } from './bare-stream.js';

const answers: Record<string, object> = {
  '/call/modern': callAnswer('modern'),
  '/call/legacy': callAnswer('legacy'),
  '/list/modern': listAnswer('modern', options.tools),
  '/list/legacy': listAnswer('legacy', options.tools),
};

listen(
  createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      respond(req, res);
    });
  }),
);

function respond({ url = '' }: IncomingMessage, res: ServerResponse): void {
  if (url === '/progress') return streamProgress(res);
  if (url === '/wait') return openStream(res);
  const body = JSON.stringify(answers[url]);
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}
