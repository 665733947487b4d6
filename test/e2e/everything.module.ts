/**
 * What the official suite wants of a server that offers everything, out of the public decorators alone.
 */
import { Injectable, Module } from '@nestjs/common';
import { McpModule, McpResource, McpResourceTemplate } from '../../src/index.js';

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

@Module({ imports: [McpModule.forRoot({ name: 'everything' })], providers: [Resources] })
export class EverythingModule {}
