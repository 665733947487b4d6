/**
 * `nest_symbols`: where a name of the project is defined and used.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import type { McpCaller } from '../../caller.js';
import type { McpRun } from '../../runs/run.js';
import { McpToolFailure } from '../../tools/failure.js';
import { answer } from '../answer.js';
import { OutOfTime } from '../project/patience.js';
import { ProjectFolder } from '../project/project-folder.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { SYMBOL_KINDS } from './declarations.js';
import { SymbolSearch, type SymbolQuestion } from './symbol-search.js';
import { loadTypeScript, type LoadedTypeScript } from './typescript.js';

@Injectable()
export class SymbolsTools {
  private loaded: Promise<LoadedTypeScript> | undefined;
  private search: SymbolSearch | undefined;

  constructor(@Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings) {}

  @McpTool({
    name: 'nest_symbols',
    title: 'Symbols of the source',
    description:
      'Where a class, method, function, type or decorator of this project is defined and used, from its TypeScript source as it is ' +
      'on disk now. Use it before changing something, to see who depends on it. query is a name: "StockService", ' +
      '"StockService.find", "@Injectable", or a part of one.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'The name: Class, Class.method, @Decorator, or a part of it.',
        },
        kind: { type: 'string', enum: [...SYMBOL_KINDS], description: 'Only names of this kind.' },
        filter: {
          type: 'string',
          maxLength: 200,
          description:
            'Words that a use must hold: a part of its file, method or line, or how it is used: call, injected, decorator.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  async symbols(question: SymbolQuestion, _caller: McpCaller, run: McpRun): Promise<unknown> {
    const loaded = await (this.loaded ??= loadTypeScript());
    if ('missing' in loaded) throw new McpToolFailure(loaded.missing);
    this.search ??= new SymbolSearch(loaded.typescript, new ProjectFolder(this.settings.project));
    try {
      return answer(await this.search.ask(question, run.signal));
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      throw new McpToolFailure('The project is too large to be read in ten seconds. What was read is kept: ask again.');
    }
  }
}
