/** Tools that show what a result may hold. */
import { Injectable } from '@nestjs/common';
import { Annotations, type McpContentBlock, McpTool, McpToolFailure } from 'nestjs-mcp-gate';
import { PNG } from './png.js';
import { READS } from './reads.js';

const image: McpContentBlock = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' };

/** A WAV file that holds no sound. */
const audio: McpContentBlock = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};

@Injectable()
export class ContentTools {
  @McpTool({ name: 'test_simple_text', description: 'Gives a text.' })
  @Annotations(READS)
  text() {
    return 'This is a simple text response for testing.';
  }

  @McpTool({ name: 'test_image_content', description: 'Gives a picture.' })
  @Annotations(READS)
  image() {
    return { content: [image] };
  }

  @McpTool({ name: 'test_audio_content', description: 'Gives a sound.' })
  @Annotations(READS)
  audio() {
    return { content: [audio] };
  }

  @McpTool({ name: 'test_embedded_resource', description: 'Gives a resource with its contents.' })
  @Annotations(READS)
  resource() {
    const resource = {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    };
    return { content: [{ type: 'resource', resource }] };
  }

  @McpTool({ name: 'test_multiple_content_types', description: 'Gives a text, a picture and a resource at once.' })
  @Annotations(READS)
  several() {
    const resource = {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: JSON.stringify({ test: 'data', value: 123 }),
    };
    return { content: [{ type: 'text', text: 'Multiple content types:' }, image, { type: 'resource', resource }] };
  }

  @McpTool({ name: 'test_error_handling', description: 'Fails, and says why.' })
  @Annotations(READS)
  failure(): never {
    throw new McpToolFailure('This tool intentionally returns an error for testing.');
  }
}
