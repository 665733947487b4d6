/** Tools that say what they do, to a client that wants to hear it. */
import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Annotations, type McpRun, McpTool, Run } from 'nestjs-mcp-gate';
import { READS } from './reads.js';

const STEP_MS = 50;

@Injectable()
export class LogTools {
  @McpTool({ name: 'test_tool_with_logging', description: 'Works in three steps, and logs each.' })
  @Annotations(READS)
  async steps(@Run() run: McpRun) {
    run.log('info', 'Tool execution started');
    await setTimeout(STEP_MS);
    run.log('info', 'Tool processing data');
    await setTimeout(STEP_MS);
    run.log('info', 'Tool execution completed');
    return 'Said three things.';
  }

  @McpTool({ name: 'test_logging_tool', description: 'Logs one thing.' })
  @Annotations(READS)
  once(@Run() run: McpRun) {
    run.log('info', { step: 'only one' }, 'test_logging_tool');
    return 'Said one thing.';
  }
}
