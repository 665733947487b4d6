/** An application with several gates: for members alone, for strangers too, for an address that each request names, shut. */
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpModule,
  McpRequestContext,
  McpTool,
  RequireAuth,
  RequireScopes,
  ScopesFor,
  type McpCaller,
  type McpGateSettings,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { mcpTestKeys } from 'nestjs-mcp-gate/testing';

const READS = { readOnlyHint: true, openWorldHint: false };
const REPORT = { type: 'object', properties: { publish: { type: 'boolean' } } };

/** Tools that were called. */
export const worked: string[] = [];

const closed: CanActivate = { canActivate: () => false };

@Injectable()
export class ClubTools implements McpToolProvider {
  @McpTool({ name: 'hours', description: 'When the club is open.' })
  @Annotations(READS)
  hours() {
    worked.push('hours');
    return 'always';
  }

  @McpTool({ name: 'card', description: 'The card of a member.' })
  @Annotations(READS)
  @RequireAuth()
  card(@Caller() { subject = 'nobody', scopes, roles }: McpCaller) {
    return `${subject}; ${scopes.join(' ')}; ${roles.join(' ')}`;
  }

  @McpTool({ name: 'report', description: 'The year in figures.', inputSchema: REPORT })
  @Annotations(READS)
  @RequireScopes('club:read')
  @ScopesFor<{ publish?: boolean }>(({ publish }) => (publish === true ? ['club:write'] : []))
  report({ publish = false }: { publish?: boolean }) {
    return publish ? 'published' : 'drafted';
  }

  @McpTool({ name: 'bookings', description: 'Bookings of a member.' })
  @Annotations(READS)
  @RequireScopes('club:read')
  @ActsForUser()
  bookings() {
    return `bookings of ${McpRequestContext.account()?.id}`;
  }

  @McpTool({ name: 'cellar', description: 'For nobody.' })
  @Annotations(READS)
  @UseGuards(closed)
  cellar() {
    worked.push('cellar');
  }

  getMcpTools() {
    return [
      {
        name: 'menu_today',
        description: 'What there is today.',
        annotations: READS,
        inputSchema: { type: 'object' },
        handler: () => 'soup',
      },
    ];
  }
}

export const MEMBERS_URL = 'https://club.example/mcp';
const authorization = {
  ownKeys: mcpTestKeys(),
  publicUrl: MEMBERS_URL,
  scopeHierarchy: { 'club:write': ['club:read'] },
  roles: { 'club:write': ['author'] },
};
const accounts: McpGateSettings['accounts'] = ({ subject }) =>
  subject === 'ann' ? { id: 'account-ann', roles: [], active: true } : undefined;

@Module({
  imports: [
    McpModule.forRoot({ name: 'members', authorization, accounts }),
    McpModule.forRoot({
      name: 'mixed',
      path: '/mixed',
      accounts,
      authorization: { ...authorization, anonymous: true },
    }),
    McpModule.forRoot({ name: 'moving', path: '/moving', authorization: { ownKeys: mcpTestKeys() } }),
    McpModule.forRoot({ name: 'open', path: '/open', unprotectedRoles: ['guest'] }),
    McpModule.forRoot({ name: 'shut', path: '/shut', enabled: false }),
  ],
  providers: [ClubTools],
})
export default class ClubModule {}
