/**
 * `nestjs-mcp-gate/devkit`: an agent asks the running application.
 */
export { McpDevkitModule } from './devkit.module.js';
export type { McpDevkitGateSettings, McpDevkitSettings } from './settings.js';
export { AdminRead, type AdminReadDeclaration } from './admin/index.js';
