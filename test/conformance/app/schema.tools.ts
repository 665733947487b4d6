/** A tool whose arguments are a JSON Schema in full, published as it is written here. */
import { Injectable } from '@nestjs/common';
import { Annotations, type JsonSchema, McpTool } from 'nestjs-mcp-gate';
import { READS } from './reads.js';

const CONTACT: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

@Injectable()
export class SchemaTools {
  @McpTool({
    name: 'json_schema_2020_12_tool',
    description: 'Takes arguments that JSON Schema 2020-12 describes.',
    inputSchema: CONTACT,
  })
  @Annotations(READS)
  contact({ name = 'somebody' }: { name?: string }) {
    return `The contact of ${name} is well formed.`;
  }
}
