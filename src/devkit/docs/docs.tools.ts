/**
 * `nest_docs`: what the project's documentation, and this package's, says of something.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { McpCaller } from '../../caller.js';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import type { McpRun } from '../../runs/run.js';
import { McpToolFailure } from '../../tools/failure.js';
import { answer } from '../answer.js';
import { OutOfTime } from '../project/patience.js';
import { ProjectFolder } from '../project/project-folder.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { DocumentSearch, type DocumentQuestion } from './document-search.js';

@Injectable()
export class DocsTools {
  private readonly documents: DocumentSearch;

  constructor(@Inject(DEVKIT_SETTINGS) { project }: ResolvedDevkitSettings) {
    this.documents = new DocumentSearch(new ProjectFolder(project));
  }

  @McpTool({
    name: 'nest_docs',
    title: 'Documentation',
    description:
      "Passages of this project's own Markdown (README, decisions, how-tos) and of the documentation of nestjs-mcp-gate, the best " +
      'first. Use it for why and how; nest_symbols and nest_inspect say what is. query is a few words.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 300,
          description: 'A few words that the passage should hold.',
        },
        filter: {
          type: 'string',
          maxLength: 200,
          description: 'Words that the file name or the heading must hold, such as docs/adr.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  async docs(question: DocumentQuestion, _caller: McpCaller, run: McpRun): Promise<unknown> {
    try {
      return answer(await this.documents.ask(question, run.signal));
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      throw new McpToolFailure('The documents could not be read in ten seconds. What was read is kept: ask again.');
    }
  }
}
