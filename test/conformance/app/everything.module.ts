/**
 * A server that offers everything the official suite asks for, out of the public decorators alone.
 */
import { type DynamicModule, Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp-gate';
import { Changing, SeasonalPrompts, SeasonGuard } from './changing.js';
import { ContentTools } from './content.tools.js';
import { FormTools } from './forms.tools.js';
import { HeaderTools } from './header.tools.js';
import { InputPrompts } from './inputs.prompts.js';
import { InputTools } from './inputs.tools.js';
import { LogTools } from './log.tools.js';
import { ProgressTools } from './progress.tools.js';
import { Prompts } from './prompts.js';
import { Resources } from './resources.js';
import { SchemaTools } from './schema.tools.js';

// The suite calls the first tool without arguments.
@Module({
  providers: [
    ContentTools,
    ProgressTools,
    LogTools,
    SchemaTools,
    HeaderTools,
    InputTools,
    FormTools,
    Resources,
    Prompts,
    InputPrompts,
    Changing,
    SeasonGuard,
    SeasonalPrompts,
  ],
})
export class EverythingModule {
  /** The web pages that may call the gate: the suite asks as one of the gate's own address. */
  static forRoot(allowedOrigins: readonly string[] = []): DynamicModule {
    return {
      module: EverythingModule,
      imports: [McpModule.forRoot({ name: 'everything', version: '1.0.0', allowedOrigins })],
    };
  }
}
