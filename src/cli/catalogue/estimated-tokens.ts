/**
 * How much of a model's context a tool takes up, as far as that can be said without the model.
 */
import type { McpPublishedTool } from '../../tools/publish.js';

const CHARACTERS_A_TOKEN = 4;

/**
 * An ESTIMATE in tokens: name, description and input schema, which clients hand to a model, as compact JSON of four
 * characters a token. Every model counts in its own way, and clients add words of their own.
 */
export function estimatedTokens({ name, description, inputSchema }: McpPublishedTool): number {
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / CHARACTERS_A_TOKEN);
}
