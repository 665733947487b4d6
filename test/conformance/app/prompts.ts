/** Prompts of each kind of content, and completion of an argument. */
import { Injectable } from '@nestjs/common';
import { McpComplete, McpPrompt } from 'nestjs-mcp-gate';
import { PNG } from './png.js';

const TEXTS = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The text ${name}` }])),
  required: names,
});

@Injectable()
export class Prompts {
  @McpPrompt({ name: 'test_simple_prompt', description: 'A prompt without arguments.' })
  simple() {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    inputSchema: TEXTS('arg1', 'arg2'),
  })
  withArguments({ arg1, arg2 }: { arg1: string; arg2: string }) {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpComplete({ prompt: 'test_prompt_with_arguments', argument: 'arg1' })
  arg1(value: string) {
    return ['paris', 'park', 'party', 'berlin'].filter((word) => word.startsWith(value));
  }

  @McpPrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource.',
    inputSchema: TEXTS('resourceUri'),
  })
  withResource({ resourceUri }: { resourceUri: string }) {
    const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return [{ type: 'resource', resource }, 'Please process the embedded resource above.'];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A prompt that holds a picture.' })
  withImage() {
    const image = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' };
    return { messages: [{ role: 'user', content: image }, 'Please analyze the image above.'] };
  }
}
