/** Why a command of an application cannot go on: the message says all that whoever started it needs to know. */
export class McpCommandFault extends Error {
  override readonly name = 'McpCommandFault';
}
