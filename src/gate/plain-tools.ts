/**
 * The tools of a gate without Nest: plain objects, as its settings list them.
 */
import type { McpToolSource } from '../tools/catalogue.js';
import { declareMcpTools } from '../tools/declare.js';
import type { McpTool } from '../tools/tool.js';
import type { ResolvedGateSettings } from './settings.js';
import { McpSettingsError } from './settings-check.js';

/**
 * The source of the tools that the settings list.
 *
 * @throws McpSettingsError for anything but a list of objects, McpDeclarationError for a bad one among them.
 */
export function plainTools({ tools }: ResolvedGateSettings): McpToolSource {
  if (tools === 'discovered' || tools.some((tool) => typeof tool === 'function')) {
    throw new McpSettingsError([
      '"tools" must be an array of tools: without Nest there is nothing to discover them in.',
    ]);
  }
  const index = declareMcpTools((tools as McpTool[]).map((tool, at) => ({ tool, origin: `settings.tools[${at}]` })));
  return { fixed: () => index };
}
