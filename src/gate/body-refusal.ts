/**
 * A body that cannot be used, as the answer that says why.
 */
import { McpProtocolError } from '../protocol/errors.js';
import type { McpBodyFault } from './body.js';

/** The error for a fault; `limit` is the gate's, in bytes. */
export function bodyRefusal(fault: McpBodyFault, limit: number): McpProtocolError {
  switch (fault) {
    case 'invalid-json':
      return McpProtocolError.parse('The body is not valid JSON.');
    case 'empty':
      return McpProtocolError.parse('The body is empty: send one JSON-RPC message.');
    case 'aborted':
      return McpProtocolError.parse('The body ended before it was complete.');
    case 'too-large':
      return McpProtocolError.invalidRequest(`The body is larger than the ${limit} bytes that this gate takes.`, 413);
    case 'unsupported-media-type':
      return McpProtocolError.invalidRequest('Send the message with Content-Type: application/json.', 415);
    case 'unsupported-charset':
      return McpProtocolError.invalidRequest('Send the message in UTF-8.', 415);
    case 'unsupported-encoding':
      return McpProtocolError.invalidRequest('Send the message plain, or with gzip, deflate or br.', 415);
  }
}
