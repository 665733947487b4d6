/**
 * The tools of the scenarios that ask for more than `add`: a class as arguments, a guard, progress, an open stream.
 */
import { type CanActivate, Injectable, UseGuards } from '@nestjs/common';
import { Annotations, McpProgress, McpTool } from 'nestjs-mcp-gate';
import { NEVER, type Observable, range, map, concat, of } from 'rxjs';
import { oneTurn, PROGRESS, READS, type Sum, sumSchema } from '../workload/catalogue.js';
import { SumDto } from '../workload/sum.dto.js';

@Injectable()
class AnyoneGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
export class OtherTools {
  @McpTool({ name: 'add_dto', description: 'Adds two numbers that class-validator checks.' })
  @Annotations(READS)
  addDto({ a, b }: SumDto): string {
    return String(a + b);
  }

  @McpTool({ name: 'add_guarded', description: 'Adds two numbers behind a guard.', inputSchema: sumSchema() })
  @Annotations(READS)
  @UseGuards(AnyoneGuard)
  addGuarded({ a, b }: Sum): string {
    return String(a + b);
  }

  @McpTool({ name: 'add_later', description: 'Adds two numbers after a while.', inputSchema: sumSchema() })
  @Annotations(READS)
  async addLater({ a, b }: Sum): Promise<string> {
    await oneTurn();
    return String(a + b);
  }

  @McpTool({ name: 'count', description: 'Reports its progress a hundred times.' })
  @Annotations(READS)
  count(): Observable<McpProgress | string> {
    const reports = range(1, PROGRESS.reports).pipe(map((done) => new McpProgress(done, PROGRESS.reports)));
    return concat(reports, of(PROGRESS.text));
  }

  @McpTool({ name: 'wait', description: 'Never answers.' })
  @Annotations(READS)
  wait(): Observable<string> {
    return NEVER;
  }
}
