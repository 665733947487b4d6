import { Injectable } from '@nestjs/common';
import { Annotations, McpProgress, McpTool } from 'nestjs-mcp-gate';
import { concat, defer, map, type Observable, of, tap } from 'rxjs';
import { SearchIndex } from './search-index.service.js';
import { SearchQuery } from './search.query.js';
import { SearchService } from './search.service.js';

@Injectable()
export class SearchTools {
  constructor(
    private readonly search: SearchService,
    private readonly index: SearchIndex,
  ) {}

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

  @McpTool({
    name: 'shop_reindex',
    title: 'Rebuild the search index',
    description:
      'Rebuilds the full-text index that shop_search uses. Takes some seconds, reports each of its 25 batches, and can ' +
      'be cancelled: the old index then stays. Use it after products were changed, or when a search says ' +
      '"indexed": false.',
  })
  @Annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  reindex(): Observable<McpProgress | string> {
    let products = 0;
    const batches = this.index.rebuild().pipe(
      tap(({ indexed }) => (products = indexed)),
      map(({ batch, total }) => new McpProgress(batch, total, `batch ${batch} of ${total}`)),
    );
    return concat(
      batches,
      defer(() => of(`The search index holds ${products} products now.`)),
    );
  }
}
