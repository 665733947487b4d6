/** A prompt that asks for what it needs. */
import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { elicitForm, McpPrompt, type McpRun, Run } from 'nestjs-mcp-gate';

class About {
  @IsString()
  context!: string;
}

@Injectable()
export class InputPrompts {
  @McpPrompt({ name: 'test_input_required_result_prompt', description: 'A prompt that asks what it is about.' })
  async about(@Run() run: McpRun) {
    const question = elicitForm({ message: 'What context should the prompt use?', schema: About });
    const answer = await run.ask('user_context', question);
    return answer.action === 'accept' ? `Keep in mind: ${answer.content.context}` : 'Go ahead without any context.';
  }
}
