import { Injectable } from '@nestjs/common';
import { Annotations, McpTool } from 'nestjs-mcp-gate';
import { SearchQuery } from './search.query.js';
import { SearchService } from './search.service.js';

@Injectable()
export class SearchTools {
  constructor(private readonly search: SearchService) {}

  @McpTool({
    name: 'shop_search',
    title: 'Search the catalogue',
    description:
      'Finds products by words of their name, category or tags, and by category, price and tags; without arguments it ' +
      'lists all. Prices are in cents. Gives one page and says how many matching products come after it ("more"): ask ' +
      'for the next page.number, or narrow the question.',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  find(query: SearchQuery) {
    return this.search.search(query);
  }
}
