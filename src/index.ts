/**
 * The public names. What is not here is internal and may change with any release.
 */
import 'reflect-metadata';

// The module and what an application reads of its gates.
export { McpModule, type McpGateAsyncSettings, type McpGateSettingsFactory } from './mcp.module.js';
export { McpGates, type McpServedTool } from './nest/gates.js';
export type { McpGateRouteOptions } from './nest/gate.route.js';
export { McpStdio, type McpStdioApplication, type McpStdioOptions } from './nest/stdio.js';

// Declaring tools.
export {
  ActsForUser,
  Annotations,
  Confirm,
  McpTool,
  RequireAuth,
  RequireScopes,
  ScopesFor,
  type McpToolDeclaration,
} from './nest/tool.decorator.js';
export {
  McpResource,
  McpResourceTemplate,
  type McpResourceDeclaration,
  type McpResourceTemplateDeclaration,
} from './nest/resource.decorator.js';
export { McpPrompt, type McpPromptDeclaration } from './nest/prompt.decorator.js';
export { McpComplete } from './nest/complete.decorator.js';
export { Args, Caller, Run } from './nest/parameters.decorator.js';
export { McpHeader } from './tools/schemas/dto-header.js';
export type { McpToolProvider } from './nest/fresh-tools.js';
export type { JsonSchema, McpAdmission, McpAnnotations, McpIcon, McpToolEntry } from './tools/tool.js';
export { McpDeclarationError, type McpToolFault } from './tools/declarations.js';
export { declareMcpTools, type McpDeclareOptions } from './tools/declare.js';
export { McpDeclaredSet } from './tools/declared-set.js';
export { McpToolIndex } from './tools/tool-index.js';
export { checkMcpAnnotations } from './tools/annotations.js';
export { checkMcpPortability, type McpPortabilityOptions, type McpPortableTool } from './tools/portability.js';

// Resources.
export type {
  McpResourceAdmission,
  McpResourceAnnotations,
  McpResourceEntry,
  McpResourceFacts,
} from './resources/resource.js';
export { declareMcpResources, type McpDeclareResourcesOptions } from './resources/declare.js';
export { McpResourceIndex, type McpLocatedResource } from './resources/resource-index.js';
export { collectMcpResources, type McpResourceCatalogue } from './resources/catalogue.js';
export type { McpDeclaredResource, McpDeclaredTemplate } from './resources/declared-resource.js';
export { publishMcpResources, type McpPublishedResource, type McpPublishedTemplate } from './resources/publish.js';
export { mcpUri, type McpUriVariables } from './resources/uri-template/uri-template.js';

// Prompts.
export type { McpPromptAdmission, McpPromptEntry, McpPromptMessage, McpPromptResult } from './prompts/prompt.js';
export type { McpPromptArgument } from './prompts/arguments.js';
export { declareMcpPrompts, type McpDeclarePromptsOptions, type McpPromptIndex } from './prompts/declare.js';
export { collectMcpPrompts, type McpPromptCatalogue } from './prompts/catalogue.js';
export { publishMcpPrompts, type McpDeclaredPrompt, type McpPublishedPrompt } from './prompts/declared-prompt.js';

// Completions.
export type {
  McpCompletion,
  McpCompletionAdmission,
  McpCompletionContext,
  McpCompletionEntry,
  McpCompletionTarget,
} from './completions/completion.js';
export {
  declareMcpCompletions,
  type McpCompletionIndex,
  type McpDeclareCompletionsOptions,
  type McpDeclaredCompletion,
} from './completions/declare.js';
export {
  collectMcpCompletions,
  type McpCompletionCatalogue,
  type McpCompletionQuestion,
  type McpCompletionSources,
  type McpFoundCompletion,
} from './completions/catalogue.js';
export type { McpCompletionResult } from './completions/complete.js';

// Asking the client.
export {
  elicitForm,
  elicitUrl,
  type McpForm,
  type McpFormAnswer,
  type McpLink,
  type McpUrlAnswer,
} from './inputs/elicit.js';
export type { McpFormContent, McpFormSchema } from './inputs/form-schema.js';
export {
  sample,
  type McpSample,
  type McpSampling,
  type McpSamplingContent,
  type McpSamplingMessage,
} from './inputs/sample.js';
export { listRoots, type McpRoot, type McpRoots } from './inputs/list-roots.js';
export {
  McpInputRequired,
  McpInputUnavailable,
  type McpInputNeed,
  type McpInputRequest,
  type McpPreparedQuestion,
  type McpReadAnswer,
} from './runs/input.js';
export { McpRunInputs } from './runs/inputs.js';

// Inside a tool, and in what Nest runs around it.
export { MCP_CONTEXT_TYPE, McpExecutionContext, type McpExecutionSubject } from './nest/execution.js';
export { McpProgress, type McpRun } from './runs/run.js';
export { MCP_LOG_LEVELS, type McpLogLevel } from './runs/log.js';
export { McpRequestContext } from './runs/ambient.js';
export { ANONYMOUS_CALLER, establishCaller, type McpCaller } from './caller.js';
export type { McpAccount, McpAccountResolver } from './account.js';
export { McpArgumentFault, McpToolFailure, type ArgumentFault } from './tools/failure.js';
export { MCP_TEXT_MAX_CHARS, mcpText } from './tools/text.js';
export type { CallToolResult, McpContentBlock, McpResourceContents } from './tools/result.js';

// Telling clients of changes.
export { McpNotifier } from './events/notifier.js';
export { createMcpEventBus, type McpEventBus } from './events/bus.js';
export type { McpEvent, McpListKind } from './events/event.js';

// The catalogue of one caller.
export type {
  McpReservation,
  McpVisibilityOptions,
  McpVisibilityQuestion,
  McpVisible,
  McpVisibleKind,
} from './tools/visibility.js';
export { collectMcpTools, type McpCatalogue, type McpCatalogueOptions, type McpToolSource } from './tools/catalogue.js';
export type { McpDeclaredTool } from './tools/declared-tool.js';
export { publishMcpTools, type McpPublishedTool } from './tools/publish.js';
export { callMcpTool, type McpCallOutcome, type McpCallParties, type McpCallRun } from './tools/call.js';
export { insufficientScopeMessage, mcpCallScopes, mcpDeclaredScopes } from './tools/scopes.js';

// Gates without Nest.
export type { McpOffered, McpOfferedCompletions, McpOffers } from './gate/offers.js';
export { defineMcpGate, type McpGate, type McpGateParts, type McpHttpInput } from './gate/gate.js';
export type { McpBody, McpBodyFault } from './gate/body.js';
export type { McpLog } from './gate/log.js';
export {
  MCP_STREAM_GRACE_MS,
  type McpGateSettings,
  type McpStreamSettings,
  type McpToolClass,
  type McpToolOrigin,
  type ResolvedGateSettings,
} from './gate/settings.js';
export { McpSettingsError } from './gate/settings-check.js';
export type { McpStdioConversation, McpStdioEnding, McpStdioWay } from './gate/stdio-conversation.js';
export { checkMcpAccess, type McpAccessFacts, type McpAccessRules } from './gate/access.js';

// A gate over a pipe.
export { serveMcpStdio, type McpStdioStreams } from './stdio/serve.js';
export { mcpLineSink, type McpLineSink } from './stdio/line-sink.js';

// Tokens.
export {
  MCP_TOKEN_ALGORITHMS,
  type McpAuthorizationSettings,
  type McpIntrospection,
  type McpIssuer,
  type McpTokenAlgorithm,
  type McpTokenClaims,
  type McpTokenVerifier,
} from './oauth/settings.js';
export { generateMcpKeys, mintMcpToken, type McpTokenRequest } from './oauth/mint.js';

// The protocol, pure.
export { handleMcpMessage } from './protocol/handle-message.js';
export type {
  McpAnswer,
  McpClientAnswer,
  McpMessageContext,
  McpOpenQuestion,
  McpRunRequest,
  McpServerFacts,
  McpServerFault,
} from './protocol/context.js';
export { eraResult } from './protocol/era.js';
export type { McpChannel, McpNews, McpOffering } from './protocol/news.js';
export type { McpSeal } from './protocol/seal.js';
export { createMcpSeal } from './gate/seal.js';
export { MCP_ERROR, McpProtocolError } from './protocol/errors.js';
export type { McpCall } from './protocol/read.js';
export type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResult,
  RequestId,
} from './protocol/messages.js';
export {
  checkProtocolVersion,
  MCP_PROTOCOL_VERSION,
  MCP_SUPPORTED_VERSIONS,
  negotiateVersion,
  type McpEra,
  type McpVersion,
} from './protocol/revisions.js';

// The parts of a transport of one's own.
export {
  createMcpResponseStream,
  type McpResponseStream,
  type McpResponseStreamOptions,
} from './gate/response-stream.js';
export { McpOpenRun, type McpAbortCause, type McpInputSource, type McpOpenRunOptions } from './runs/open-run.js';
export { SYSTEM_CLOCK, type McpClock } from './runs/clock.js';
export {
  createProgressReporter,
  MCP_PROGRESS_MIN_INTERVAL_MS,
  type McpProgressOptions,
  type McpProgressParams,
  type McpProgressReporter,
} from './runs/progress.js';
export {
  createLogReporter,
  MCP_LOG_MAX_PER_SECOND,
  type McpLogOptions,
  type McpLogParams,
  type McpLogReporter,
} from './runs/log.js';
