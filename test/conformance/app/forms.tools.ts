/** Tools that ask with what they were given, and with forms of every kind. */
import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Annotations, elicitForm, type JsonSchema, type McpRun, McpTool, Run, sample } from 'nestjs-mcp-gate';
import { READS } from './reads.js';

class Question {
  @IsString()
  prompt!: string;
}

class Request {
  @IsString()
  message!: string;
}

const PERSON: JsonSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

const DEFAULTS: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const CHOICES: JsonSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
};

@Injectable()
export class FormTools {
  @McpTool({ name: 'test_sampling', description: "Asks the client's model what it was given." })
  @Annotations(READS)
  async sampling({ prompt }: Question, @Run() run: McpRun) {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
    const answer = await run.ask('answer', sample({ messages, maxTokens: 100 }));
    return `LLM response: ${JSON.stringify(answer.content)}`;
  }

  @McpTool({ name: 'test_elicitation', description: 'Asks the user for a name and an address.' })
  @Annotations(READS)
  async elicitation({ message }: Request, @Run() run: McpRun) {
    return `User response: ${JSON.stringify(await run.ask('person', elicitForm({ message, schema: PERSON })))}`;
  }

  @McpTool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks with a form that is filled in.' })
  @Annotations(READS)
  async defaults(@Run() run: McpRun) {
    const answer = await run.ask('person', elicitForm({ message: 'Is this right?', schema: DEFAULTS }));
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_elicitation_sep1330_enums', description: 'Asks with every kind of choice.' })
  @Annotations(READS)
  async choices(@Run() run: McpRun) {
    const answer = await run.ask('choices', elicitForm({ message: 'Please choose', schema: CHOICES }));
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  }
}
