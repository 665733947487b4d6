/**
 * What the official suite wants of a server that offers everything, out of the public decorators alone.
 */
import { Injectable, Module } from '@nestjs/common';
import { McpComplete, McpModule, McpPrompt, McpResource, McpResourceTemplate } from '../../src/index.js';

/** One red pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

@Injectable()
class Resources {
  @McpResource({ uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain' })
  text() {
    return 'This is the content of the static text resource.';
  }

  @McpResource({ uri: 'test://static-binary', name: 'Static binary', description: 'A picture.', mimeType: 'image/png' })
  binary() {
    return PNG;
  }

  @McpResource({ uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' })
  watched() {
    return 'Watch me.';
  }

  @McpResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'Template',
    description: 'Data of one id.',
    mimeType: 'application/json',
  })
  template({ id }: { id: string }) {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}

const TEXTS = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The text ${name}` }])),
  required: names,
});

@Injectable()
class Prompts {
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

@Module({ imports: [McpModule.forRoot({ name: 'everything' })], providers: [Resources, Prompts] })
export class EverythingModule {}
