/**
 * Floor: Express with its JSON parser and a fixed object.
 */
import { createServer } from 'node:http';
import express from 'express';
import { callAnswer, listAnswer } from '../workload/answers.js';
import { listen, options } from './serve.js';

const app = express();
app.use(express.json());
for (const era of ['modern', 'legacy'] as const) {
  const call = callAnswer(era);
  const list = listAnswer(era, options.tools);
  app.post(`/call/${era}`, (_req, res) => void res.json(call));
  app.post(`/list/${era}`, (_req, res) => void res.json(list));
}

listen(createServer(app));
