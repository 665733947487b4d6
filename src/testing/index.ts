/**
 * What an application's own tests use, whatever runs them: a client without a port, a check of annotations, a table of
 * who may call what, and tokens for tests over HTTP. Not for production code.
 */
export { authorizationMatrix, type McpAuthorizationMatrix, type McpMatrixOptions } from './authorization-matrix.js';
export {
  mcpTestClient,
  type McpTestAnswer,
  type McpTestCallOptions,
  type McpTestClient,
  type McpTestClientOptions,
  type McpTestProgress,
} from './client.js';
export type { McpTestAnswers, McpTestQuestion } from './answering.js';
export { expectAnnotated } from './expect-annotated.js';
export type { McpMatrixCell } from './permissions.js';
export { McpTestError } from './test-error.js';
export { mcpTestKeys, mcpTestToken, type McpTestTokenRequest } from './token.js';
