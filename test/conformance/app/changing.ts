/**
 * What comes and goes while the application runs, and says so: a tool, a prompt, and a resource that changes.
 */
import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import {
  Annotations,
  McpNotifier,
  McpPrompt,
  McpResource,
  McpTool,
  type McpTool as PlainTool,
  type McpToolProvider,
} from 'nestjs-mcp-gate';

const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const NOTHING = { type: 'object', properties: {}, additionalProperties: false };

/** What comes and goes, for everybody, and says so. */
@Injectable()
export class Changing implements McpToolProvider {
  hasPrompt = false;
  private hasTool = false;
  private edition = 1;

  constructor(private readonly notifier: McpNotifier) {}

  @McpTool({ name: 'test_trigger_tool_change', description: 'Adds a tool, or takes it away.', inputSchema: NOTHING })
  @Annotations(CHANGES)
  changeTools() {
    this.hasTool = !this.hasTool;
    this.notifier.toolsChanged();
    return `There is ${this.hasTool ? 'one tool more' : 'one tool less'}.`;
  }

  @McpTool({
    name: 'test_trigger_prompt_change',
    description: 'Adds a prompt, or takes it away.',
    inputSchema: NOTHING,
  })
  @Annotations(CHANGES)
  changePrompts() {
    this.hasPrompt = !this.hasPrompt;
    this.notifier.promptsChanged();
    return `There is ${this.hasPrompt ? 'one prompt more' : 'one prompt less'}.`;
  }

  @McpTool({ name: 'test_update_resource', description: 'Changes the watched resource.', inputSchema: NOTHING })
  @Annotations(CHANGES)
  changeResource() {
    this.edition += 1;
    this.notifier.resourceUpdated('test://watched-resource');
    return `It is edition ${this.edition}.`;
  }

  @McpResource({ uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' })
  watched() {
    return `Watch me: edition ${this.edition}.`;
  }

  getMcpTools(): PlainTool[] {
    const seasonal = { name: 'test_seasonal_tool', description: 'Is here for a season.', inputSchema: NOTHING };
    const annotations = { readOnlyHint: true, openWorldHint: false };
    return this.hasTool ? [{ ...seasonal, annotations, handler: () => 'It is the season.' }] : [];
  }
}

@Injectable()
export class SeasonGuard implements CanActivate {
  constructor(private readonly changing: Changing) {}

  canActivate(): boolean {
    return this.changing.hasPrompt;
  }
}

@Injectable()
export class SeasonalPrompts {
  @McpPrompt({ name: 'test_seasonal_prompt', description: 'Is here for a season.' })
  @UseGuards(SeasonGuard)
  seasonal() {
    return 'What is in season?';
  }
}
