/**
 * A request's body, read within a limit, inflated and parsed. What is wrong with it is a value, so that whoever reads
 * early (a framework's hook) and whoever answers (the gate) can be two.
 */
import { isUtf8 } from 'node:buffer';
import { IncomingMessage } from 'node:http';
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
export function readMcpBody(req: IncomingMessage, limit: number): Promise<McpBody> {
  req.pause(); // or it would run past us to somebody else who listens
  // A small body comes in one piece with the headers, which are told of first: a turn later it is there.
  return new Promise((resolve) => queueMicrotask(() => takeBody(req, limit, resolve)));
}

/** Calls `take` once. Not for others: only a promise brings the caller's async context (of a tracer, say) back. */
function takeBody(req: IncomingMessage, limit: number, take: (body: McpBody) => void): void {
  const { headers } = req;
  const fault = headers['content-type'] === 'application/json' ? undefined : mediaFault(headers['content-type']);
  if (fault !== undefined) return take(drain(req, fault));
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && !Object.hasOwn(INFLATERS, encoding)) return take(drain(req, 'unsupported-encoding'));
  if (encoding === 'identity' && Number(headers['content-length']) > limit) return take(drain(req, 'too-large'));
  if (req.destroyed && !req.readableEnded) return take({ fault: 'aborted' }); // it has left while somebody else was asked
  if (encoding === 'identity' && isHere(req)) return takeWhole(req, take);
  collect(req, encoding as keyof typeof INFLATERS | 'identity', limit, (bytes) =>
    take(Buffer.isBuffer(bytes) ? parseMcpBody(bytes) : drain(req, bytes)),
  );
}

/**
 * Whether all of the body waits to be read: then it needs no listeners, which cost more than the protocol. Of a stream that
 * stands in the request's place (a hook that inflates) the header says nothing.
 */
function isHere(req: IncomingMessage): boolean {
  const length = req.readableLength;
  if (length === 0 || length !== Number(req.headers['content-length'])) return false;
  return req.readableEncoding === null && req instanceof IncomingMessage;
}

/** Takes a body that is here. Not before the stream has ended: parsers that come later must find it so. */
function takeWhole(req: IncomingMessage, take: (body: McpBody) => void): void {
  const bytes = req.read() as Buffer;
  req.once('end', () => take(parseMcpBody(bytes))).resume();
}

/** Reads the bytes of a message: JSON in UTF-8. */
export function parseMcpBody(bytes: Buffer): McpBody {
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
  done: (outcome: Buffer | McpBodyFault) => void,
): void {
  const inflater = encoding === 'identity' ? undefined : INFLATERS[encoding]();
  const source: Readable = inflater === undefined ? req : req.pipe(inflater);
  let held: Buffer = NOTHING;
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
    done(outcome);
  }
  function take(given: Buffer | string): void {
    const chunk = typeof given === 'string' ? Buffer.from(given, source.readableEncoding ?? 'utf8') : given;
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
    if (!req.readableEnded) finish('aborted');
  }

  source.on('data', take).resume();
  source.once('end', () => finish(held.subarray(0, size)));
  inflater?.once('error', () => finish('invalid-json')); // what does not inflate is not JSON either
  req.once('error', () => finish('aborted'));
  req.once('close', leave);
}

const NOTHING = Buffer.alloc(0);
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
