/** A tool that says how far it has come. */
import { Injectable } from '@nestjs/common';
import { Annotations, McpProgress, McpTool } from 'nestjs-mcp-gate';
import { concat, delay, type Observable, of } from 'rxjs';
import { READS } from './reads.js';

/** Longer than the least time between two notifications, so that none of them is taken for a burst. */
const STEP_MS = 110;

@Injectable()
export class ProgressTools {
  @McpTool({ name: 'test_tool_with_progress', description: 'Works in three steps, and reports each.' })
  @Annotations(READS)
  steps(): Observable<McpProgress | string> {
    const steps = [0, 50, 100].map((done) => of(new McpProgress(done, 100)).pipe(delay(STEP_MS)));
    return concat(...steps, of('All is done.'));
  }
}
