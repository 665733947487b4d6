import { Injectable } from '@nestjs/common';
import { Annotations, McpProgress, McpTool } from 'nestjs-mcp-gate';
import { concat, defer, map, type Observable, of, tap } from 'rxjs';
import { SearchIndex } from './search-index.service.js';

@Injectable()
export class SearchIndexTools {
  constructor(private readonly index: SearchIndex) {}

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
