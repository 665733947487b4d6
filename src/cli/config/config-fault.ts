/** A client's file that cannot be merged into: it says the line and what is wrong there. */
export class McpConfigFault extends Error {
  override readonly name = 'McpConfigFault';
}
