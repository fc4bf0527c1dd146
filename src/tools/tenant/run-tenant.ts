import { type Config, ConfigError } from '#config';
import { configuredUrls } from '#server/database/database-roles.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/embedded-postgres/embedded-postgres.ts';
import type { Terminal } from '../terminal.ts';
import { jsonText, textTable } from '../text-table.ts';
import { abortMove } from './abort-move.ts';
import type { MoveRequest, TenantRequest } from './arguments.ts';
import { type CellClient, connectToCell } from './cell-database.ts';
import { checkMove } from './check-move.ts';
import { mapLines, tellHaproxy, writeMap } from './haproxy-map.ts';
import { listOrganizations, organizationLines } from './list-organizations.ts';
import { moveOrganization } from './move-organization.ts';
import { claimMove } from './move-state.ts';
import { removeMoved } from './remove-moved.ts';

/** Executes a command of `tollgate tenant`. Errors: ConfigError with what to do. */
export async function runTenant(
  request: Exclude<TenantRequest, { command: 'help' }>,
  config: Config,
  { print }: Pick<Terminal, 'print'>,
) {
  const say = (line: string) => print(`${line}\n`);
  await using opened = new AsyncDisposableStack();
  const sourceUrl = await ownUrl(config, opened);
  const connect = async (url: string, which: string) => {
    const client = await connectToCell(url, which);
    opened.defer(() => client.end());
    return client;
  };
  if (request.command === 'move' && !request.check) return await move(request, sourceUrl, say);
  const source = await connect(sourceUrl, 'this cell');
  if (!('organizationId' in request)) {
    const organizations = await listOrganizations(source);
    print(request.json ? jsonText(organizations) : textTable(organizationLines(organizations)));
    return;
  }
  await requireOrganization(source, request.organizationId);
  switch (request.command) {
    case 'move': {
      const target = await connect(request.to, 'the other cell');
      const problems = await checkMove(source, target, request.organizationId);
      if (problems.length > 0) throw new ConfigError(problems.join('\n'));
      return say('The organization can move');
    }
    case 'abort': {
      const target = await connect(request.to, 'the other cell');
      await claimMove(source, request.organizationId);
      await claimMove(target, request.organizationId);
      await abortMove(source, target, request.organizationId);
      return say('No move of the organization is under way; it is served here');
    }
    case 'recount': {
      const { rows } = await source.query<{ counter: string; lacking: string }>(
        'select counter, lacking from recount_organization($1)',
        [request.organizationId],
      );
      for (const { counter, lacking } of rows) say(`${counter}: ${lacking} were missing`);
      return say(`${rows.length} counters corrected`);
    }
    case 'remove':
      return say(`${await removeMoved(source, request.organizationId)} rows deleted`);
    case 'route':
      for (const line of await mapLines(
        source,
        request.organizationId,
        request.cell,
        request.hosts,
      )) {
        say(`${line.key} ${line.cell}`);
      }
  }
}

async function move(request: MoveRequest, sourceUrl: string, say: (line: string) => void) {
  const { organizationId, to, cell, from, freezeSeconds, map, haproxy, hosts } = request;
  const { frozenMilliseconds } = await moveOrganization({
    organizationId,
    sourceUrl,
    fromUrl: from ?? sourceUrl,
    targetUrl: to,
    cell,
    freezeSeconds,
    report: say,
    async onMoved(source) {
      if (!map) return;
      const lines = await mapLines(source, organizationId, cell, hosts);
      if (haproxy) await tellHaproxy(haproxy, map, lines);
      await writeMap(map, lines);
      say(`${map} leads the organization to cell ${cell}`);
    },
  });
  say(`${organizationId} has moved to cell ${cell}; it was away for ${frozenMilliseconds} ms`);
}

/** This cell's database, as the owner of its tables and without a pooler. */
async function ownUrl(config: Config, opened: AsyncDisposableStack): Promise<string> {
  if (config.databaseUrl) return configuredUrls(config.databaseUrl, config).ownerUrl;
  const running = await findRunningPostgres(config.dataDir);
  return running ?? opened.use(await startEmbeddedPostgres(config)).databaseUrl;
}

async function requireOrganization(client: CellClient, organizationId: string) {
  const { rows } = await client.query('select from organization where id = $1', [organizationId]);
  if (rows.length === 0) {
    throw new ConfigError(
      `There is no organization ${organizationId} in this cell: tollgate tenant list shows all`,
    );
  }
}
