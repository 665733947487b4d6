/**
 * What a client carries for the server between two requests: readable by nobody else, and worth nothing when a single bit of
 * it was changed.
 */

/** Seals and opens. What is sealed for one purpose opens for no other. */
export interface McpSeal {
  /** @param content anything that JSON carries */
  seal(purpose: string, content: unknown): Promise<string>;
  /** What was sealed; `undefined` for a text that this gate has not sealed for this purpose, or not like this. */
  open(purpose: string, sealed: string): Promise<unknown>;
}
