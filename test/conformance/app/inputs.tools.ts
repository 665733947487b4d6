/** Tools that ask their caller for more on the way, whatever its era. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsBoolean, IsString } from 'class-validator';
import { Annotations, elicitForm, listRoots, type McpRun, McpTool, Run, sample } from 'nestjs-mcp-gate';
import { READS } from './reads.js';

class Name {
  @IsString()
  name!: string;
}

class Colour {
  @IsString()
  color!: string;
}

class Consent {
  @IsBoolean()
  ok!: boolean;
}

const askName = elicitForm({ message: 'What is your name?', schema: Name });
const askConsent = elicitForm({ message: 'Please confirm', schema: Consent });

/** A question to the client's model. */
const askModel = (text: string, maxTokens = 100) =>
  sample({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

@Injectable()
export class InputTools {
  @McpTool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name, and greets.' })
  @Annotations(READS)
  async name(@Run() run: McpRun) {
    const answer = await run.ask('user_name', askName);
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!';
  }

  @McpTool({ name: 'test_input_required_result_sampling', description: "Asks the client's model." })
  @Annotations(READS)
  async capital(@Run() run: McpRun) {
    const { content } = await run.ask('capital_question', askModel('What is the capital of France?'));
    return content;
  }

  @McpTool({ name: 'test_input_required_result_list_roots', description: 'Asks which folders are open.' })
  @Annotations(READS)
  async roots(@Run() run: McpRun) {
    const { roots } = await run.ask('client_roots', listRoots());
    return roots.map(({ uri }) => uri);
  }

  @McpTool({
    name: 'test_input_required_result_request_state',
    description: 'Remembers what it thought of before it asked.',
  })
  @Annotations(READS)
  async consent(@Run() run: McpRun) {
    const ticket = await run.remember('ticket', () => randomUUID());
    const { action } = await run.ask('confirm', askConsent);
    return `state-ok: ticket ${ticket}, ${action}`;
  }

  @McpTool({ name: 'test_input_required_result_tampered_state', description: 'Asks for consent under a seal.' })
  @Annotations(READS)
  async sealed(@Run() run: McpRun) {
    const { action } = await run.ask('confirm', askConsent);
    return action;
  }

  @McpTool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks three things at once.' })
  @Annotations(READS)
  async several(@Run() run: McpRun) {
    const [name, greeting, { roots }] = await Promise.all([
      run.ask('user_name', askName),
      run.ask('greeting', askModel('Generate a greeting', 50)),
      run.ask('client_roots', listRoots()),
    ]);
    return { name, greeting, roots };
  }

  @McpTool({ name: 'test_input_required_result_multi_round', description: 'Asks one thing after another.' })
  @Annotations(READS)
  async rounds(@Run() run: McpRun) {
    const name = await run.ask('step1', elicitForm({ message: 'Step 1: What is your name?', schema: Name }));
    const colour = await run.ask(
      'step2',
      elicitForm({ message: 'Step 2: What is your favorite color?', schema: Colour }),
    );
    return { name, colour };
  }

  @McpTool({ name: 'test_input_required_result_capabilities', description: 'Asks in the way that the client knows.' })
  @Annotations(READS)
  async capabilities(@Run() run: McpRun) {
    if (run.can('elicitation')) return run.ask('user_name', askName);
    if (run.can('sampling')) return run.ask('capital_question', askModel('What is the capital of France?'));
    return 'There is nobody to ask.';
  }

  @McpTool({ name: 'test_missing_capability', description: "Needs the client's model." })
  @Annotations(READS)
  async missing(@Run() run: McpRun) {
    const { content } = await run.ask('question', askModel('Are you there?'));
    return content;
  }

  @McpTool({ name: 'test_streaming_elicitation', description: 'Asks for consent.' })
  @Annotations(READS)
  async streaming(@Run() run: McpRun) {
    const { action } = await run.ask('confirm', askConsent);
    return action;
  }
}
