/** What can be read: a text, bytes, and whatever a template names. */
import { Injectable } from '@nestjs/common';
import { McpResource, McpResourceTemplate } from 'nestjs-mcp-gate';
import { PNG } from './png.js';

@Injectable()
export class Resources {
  @McpResource({ uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain' })
  text() {
    return 'This is the content of the static text resource.';
  }

  @McpResource({ uri: 'test://static-binary', name: 'Static binary', description: 'A picture.', mimeType: 'image/png' })
  binary() {
    return PNG;
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
