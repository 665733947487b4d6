/**
 * A request's body, read within a limit, inflated and parsed. What is wrong with it is a value, so that whoever reads
 * early (a framework's hook) and whoever answers (the gate) can be two.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Why a body cannot be used. */
export type McpBodyFault =
  | 'invalid-json'
  | 'empty'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unsupported-charset'
  | 'unsupported-encoding'
  | 'aborted';

/** A parsed body, or why there is none. */
export type McpBody = { readonly value: unknown } | { readonly fault: McpBodyFault };

const INFLATERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

/**
 * Reads and parses a JSON body. Never rejects, and never holds more than `limit` bytes of inflated text: what is larger
 * is drained and dropped, so that the client can still read the refusal.
 */
export async function readMcpBody(req: IncomingMessage, limit: number): Promise<McpBody> {
  const fault = mediaFault(req.headers['content-type']);
  if (fault !== undefined) return drain(req, fault);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && !Object.hasOwn(INFLATERS, encoding)) return drain(req, 'unsupported-encoding');
  if (encoding === 'identity' && Number(req.headers['content-length']) > limit) return drain(req, 'too-large');
  const bytes = await collect(req, encoding as keyof typeof INFLATERS | 'identity', limit);
  return Buffer.isBuffer(bytes) ? parse(bytes) : drain(req, bytes);
}

function parse(bytes: Buffer): McpBody {
  if (bytes.length === 0) return { fault: 'empty' };
  if (!isUtf8(bytes)) return { fault: 'invalid-json' }; // read on, it would hold other characters than were sent
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return { fault: 'invalid-json' };
  }
}

/** The media type must be JSON, and its charset UTF-8: JSON on the wire has no other (RFC 8259, 8.1). */
function mediaFault(contentType: string | undefined): McpBodyFault | undefined {
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return 'unsupported-media-type';
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const known = charset === undefined || ['utf-8', 'utf8', '"utf-8"', '"utf8"', 'us-ascii'].includes(charset);
  return known ? undefined : 'unsupported-charset';
}

function collect(
  req: IncomingMessage,
  encoding: keyof typeof INFLATERS | 'identity',
  limit: number,
): Promise<Buffer | McpBodyFault> {
  return new Promise((resolve) => {
    const inflater = encoding === 'identity' ? undefined : INFLATERS[encoding]();
    const source: Readable = inflater === undefined ? req : req.pipe(inflater);
    let held: Buffer = Buffer.alloc(0);
    let size = 0;
    let over = false;

    function finish(outcome: Buffer | McpBodyFault): void {
      if (over) return;
      over = true;
      source.off('data', take);
      if (inflater !== undefined) {
        req.unpipe(inflater);
        inflater.destroy();
      }
      req.off('close', leave);
      resolve(outcome);
    }
    function take(chunk: Buffer): void {
      const end = size + chunk.length;
      if (end > limit) return finish('too-large');
      if (size === 0) held = chunk;
      else {
        if (end > held.length) held = enlarged(held, size, Math.min(limit, Math.max(2 * end, LEAST_ROOM)));
        chunk.copy(held, size);
      }
      size = end;
    }
    function leave(): void {
      if (!req.readableEnded && !req.complete) finish('aborted');
    }

    source.on('data', take);
    source.once('end', () => finish(held.subarray(0, size)));
    inflater?.once('error', () => finish('invalid-json')); // what does not inflate is not JSON either
    req.once('error', () => finish('aborted'));
    req.once('close', leave);
    if (req.closed) leave(); // it has left while somebody else was asked
  });
}

const LEAST_ROOM = 16 * 1024;

/** More room for the same bytes. A list of chunks would do, but one that comes byte by byte costs a hundred times its size. */
function enlarged(held: Buffer, size: number, room: number): Buffer {
  const larger = Buffer.allocUnsafe(room);
  held.copy(larger, 0, 0, size);
  return larger;
}

function drain(req: IncomingMessage, fault: McpBodyFault): McpBody {
  req.on('error', () => undefined);
  req.resume();
  return { fault };
}
