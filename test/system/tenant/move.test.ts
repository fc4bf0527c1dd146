import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { type Move, moveOrganization } from '../../../src/tools/tenant/move-organization.ts';
import { removeMoved } from '../../../src/tools/tenant/remove-moved.ts';
import { copiedTables, tenantTables } from '../../../src/tools/tenant/tenant-tables.ts';
import { seed } from '../../support/effort.ts';
import { aWebhook } from '../../support/factories.ts';
import { expectLedgersToAgree } from '../../support/ledger.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { aReceiver } from '../../support/outside/receiver.ts';
import { spawnProgram, startService } from '../../support/process.ts';
import { randomOf } from '../../support/random.ts';
import { oneOfEach } from '../../support/records/one-of-each.ts';
import { type Cell, type Cells, twoCells } from '../../support/servers/cells.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { aTenant } from '../../support/tenant.ts';
import { systemTest as base } from '../../support/test.ts';
import { aKey, type Caller, callerOf } from '../faults/caller.ts';
import {
  bill,
  buy,
  fightForSeats,
  newKnowledge,
  reportUsage,
  type World,
} from '../faults/clients.ts';
import { follow } from '../faults/follower.ts';
import {
  expectDeliveries,
  expectFeedToBeWhole,
  expectMonths,
  expectOpenStatesToBeDue,
  expectPurchases,
  expectUsage,
  seatsTaken,
} from '../faults/invariants.ts';
import { aWorld } from '../faults/world.ts';

const test = base.extend('cells', { scope: 'file' }, async ({}, { onCleanup }) => {
  const cells = await twoCells();
  onCleanup(() => cells[Symbol.asyncDispose]());
  return cells;
});

const capacity = 8;

/** A move from one cell to another; the machine of a test may be busy, so the time is not the promise here. */
const moveOf = (
  organizationId: string,
  from: Cell,
  to: Cell,
  others: Partial<Move> = {},
): Move => ({
  organizationId,
  sourceUrl: from.databaseUrl,
  fromUrl: from.databaseUrl,
  targetUrl: to.databaseUrl,
  cell: to.name,
  freezeSeconds: 30,
  report: () => {},
  ...others,
});

/** The session of an organization in another cell. */
function sessionIn({ orm }: Cell, { em: _em, apiKeyId, ...scope }: Session): Session {
  return openSession(orm.em, { ...scope, now: new Date() }, apiKeyId);
}

async function observe({ databaseUrl }: Cell) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const serviceOf = ({ name, databaseUrl }: Cell) =>
  startService({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    TOLLGATE_CELL: name,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });

/** Nothing of moves is left: publications, slots, subscriptions, triggers and longer logs. */
async function expectNothingLeft({ query }: Cell) {
  const left = await query(
    `select 'publication ' || pubname as what from pg_publication
     union all select 'slot ' || slot_name from pg_replication_slots
     union all select 'subscription ' || subname from pg_subscription
     union all select 'trigger ' || tgname from pg_trigger where tgname like 'tollgate_move_%' and tgparentid = 0
     union all select 'log of ' || relname from pg_class where relnamespace = 'public'::regnamespace and relreplident = 'f'
     union all select state || ' ' || organization_id from organization_move where state <> 'moved'`,
  );
  expect(left.filter(({ what }: { what?: string }) => !what?.startsWith('trigger'))).toEqual([]);
  return left;
}

describe('an organization that is used', () => {
  test('moves to another cell: nothing acknowledged is lost or done twice, and the other one notices nothing', {
    timeout: 1_200_000,
  }, async ({ cells }) => {
    const { first, second } = cells;
    const tenant = await aTenant(first.orm.em);
    const { session } = tenant;
    const { organizationId } = session;
    const world = await aWorld(session, capacity);
    const receiver = await aReceiver();
    const filterTypes = ['resource_claim.created', 'payment.succeeded'];
    await aWebhook(session, { url: receiver.url, filterTypes } as object);
    const neighbours = await Promise.all([first, second].map(aNeighbour));
    const services = await Promise.all([first, second].map(serviceOf));
    let current = 0;
    const address = () => services[current]?.url ?? '';

    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const acknowledged = newKnowledge();
    const follower = follow(address, tenant.key, session.pricingModelId, stop.signal);
    const working = new AbortController();
    onTestFinished(() => working.abort());
    const away: number[] = [];
    const answered: number[] = [];
    const clients = [fightForSeats, fightForSeats, reportUsage, reportUsage, buy, bill].map(
      (work, place) =>
        work({
          name: `client-${place}`,
          caller: timed(callerOf(address, tenant.key, working.signal), away, answered),
          random: randomOf(seed + place),
          world,
          acknowledged,
          stop: working.signal,
        }),
    );
    const refused: number[] = [];
    const others = neighbours.flatMap(({ key, world, acknowledged }, cell) =>
      [fightForSeats, reportUsage, buy].map((work, place) =>
        work({
          name: `neighbour-${place}`,
          caller: timed(
            callerOf(() => services[cell]?.url ?? '', key, working.signal),
            refused,
          ),
          random: randomOf(seed + 50 + 10 * cell + place),
          world,
          acknowledged,
          stop: working.signal,
        }),
      ),
    );
    const seats = watchSeats([first, second], world, working.signal);
    const key = aKey();
    const kept = { customer: { externalId: 'kept', name: 'Ada', email: 'ada@example.com' } };
    const caller = callerOf(address, tenant.key, stop.signal);
    const answer = await caller.final('POST', '/customers', kept, key);
    await sleep(2_000);

    const { frozenMilliseconds } = await moveOrganization(
      moveOf(organizationId, first, second, {
        onMoved: async () => {
          current = 1;
        },
      }),
    );
    await sleep(2_000);
    working.abort();
    await Promise.all([...clients, ...others, seats]);

    process.stdout.write(
      `away for ${frozenMilliseconds} ms; ${away.length} refusals; ${longestGap(answered)} ms without an answer; ` +
        `${acknowledged.usage.size} usage events, ${acknowledged.purchases.size} purchases, ${[...acknowledged.months.values()]} months, ${acknowledged.answers} answers; ` +
        `neighbours ${neighbours.map(({ acknowledged }) => acknowledged.answers)} answers\n`,
    );
    expect(refused).toEqual([]);
    expect(acknowledged.usage.size).toBeGreaterThan(0);
    expect(await caller.final('POST', '/customers', kept, key)).toEqual({
      ...answer,
      replayed: true,
    });
    const there = sessionIn(second, session);
    const observer = await observe(second);
    await expectOpenStatesToBeDue(observer);
    await expectPurchases(observer, acknowledged);
    await expectUsage(observer, world, acknowledged);
    await expectMonths(observer, acknowledged);
    await expectMoneyToAgree(there);
    await expectLedgersToAgree(sessionIn(second, session));
    await expectFeedToBeWhole(observer, follower);
    await expectDeliveries(observer, () => receiver.received.map(deliveryOf));
    expect(await second.query('select * from recount_organization($1)', [organizationId])).toEqual(
      [],
    );
    const failures: unknown[] = [];
    await checkBooks(second.orm.em.fork(), new Date(), 'check-books', (error) =>
      failures.push(error),
    );
    expect(failures).toEqual([]);
    for (const { cell, world, acknowledged } of neighbours) {
      await expectUsage(await observe(cell), world, acknowledged);
      await expectPurchases(await observe(cell), acknowledged);
    }

    // A process that has heard nothing of it cannot write, and those that have refuse: with 503 for the first minute.
    const late = `update customer set name = 'Late' where organization_id = '${organizationId}'`;
    await expect(first.query(late)).rejects.toThrow('is being moved to another cell');
    const gone = callerOf(() => services[0]?.url ?? '', tenant.key, stop.signal);
    expect([421, 503]).toContain((await gone.once('GET', '/customers'))?.status);
    await expectNothingLeft(second);
    await expectNothingLeft(first);
    const own = await observe(first);
    expect(await removeMoved(own, organizationId)).toBeGreaterThan(100);
    expect(await first.query('select id from organization')).toEqual([
      { id: neighbours[0]?.organizationId },
    ]);
    expect(await expectNothingLeft(first)).toEqual([]);
  });
});

describe('an organization with rows of every kind', { timeout: 1_200_000 }, () => {
  test('is in one cell at a time, wherever the program that moves it is killed', async ({
    cells,
  }) => {
    const { first, second } = cells;
    const { session } = await aTenant(first.orm.em);
    const { organizationId } = session;
    await oneOfEach(session);
    const before = await contentOf(first, organizationId);
    const random = randomOf(seed);
    const program = (freezeSeconds: number) =>
      spawnProgram(
        [
          'src/tollgate.ts',
          'tenant',
          'move',
          organizationId,
          '--to',
          second.databaseUrl,
          '--cell',
          'second',
        ].concat(['--freeze-seconds', String(freezeSeconds)]),
        { DATABASE_URL: first.databaseUrl },
      );
    const write = `update customer set name = name where organization_id = $1`;
    const servedAgain = async (what: string) => {
      const began = performance.now();
      await expect
        .poll(() => first.query(write, [organizationId]).then(() => 'written', String), {
          interval: 20,
        })
        .toBe('written');
      const milliseconds = Math.round(performance.now() - began);
      process.stdout.write(`${what}: written ${milliseconds} ms later\n`);
      expect(await servedBy(cells, organizationId)).toEqual(['first']);
      return milliseconds;
    };
    const working = new AbortController();
    onTestFinished(() => working.abort());
    const watching = watchCells(cells, organizationId, working.signal);
    for (const moment of ['copying', 'frozen'] as const) {
      const mover = program(60);
      await hasState(first, organizationId, moment);
      if (moment === 'copying') await sleep(random.whole(0, 1_000));
      mover.kill('SIGKILL');
      await mover.ended();
      expect(await servedAgain(`killed while ${moment}`)).toBeLessThan(10_000);
    }
    // A program that is stopped has its connections, but not the organization.
    const stopped = program(1);
    await hasState(first, organizationId, 'frozen');
    stopped.kill('SIGSTOP');
    expect(await servedAgain('stopped')).toBeLessThan(15_000);
    stopped.kill('SIGCONT');
    expect(await stopped.ended()).toMatchObject({ code: 1 });
    expect(await servedBy(cells, organizationId)).toEqual(['first']);

    const mover = program(60);
    await hasState(first, organizationId, 'moved');
    mover.kill('SIGKILL');
    await mover.ended();
    // Usage that a stream has accepted comes late.
    await first.query(
      `insert into usage_forward values ('p1', $1, $2, false, now(), '{}', '[{"amount": "1"}]')`,
      [session.pricingModelId, organizationId],
    );
    await expect(
      moveOrganization(moveOf(organizationId, first, second, { cell: 'third' })),
    ).rejects.toThrow('has left this cell for cell second');
    await moveOrganization(moveOf(organizationId, first, second));
    expect(await servedBy(cells, organizationId)).toEqual(['second']);
    const late = 'select position, events from usage_forward';
    expect(await first.query(late)).toEqual([]);
    expect(await second.query(late)).toEqual([{ position: 'p1', events: [{ amount: '1' }] }]);
    working.abort();
    expect(await watching).toBeGreaterThan(10);
    expect(await contentOf(second, organizationId)).toEqual(before);
    await expectNothingLeft(second);
    await expectNothingLeft(first);

    await expect(moveOrganization(moveOf(organizationId, second, first))).rejects.toThrow(
      `The other cell has an organization ${organizationId} already`,
    );
    await removeMoved(await observe(first), organizationId);
    expect(await servedBy(cells, organizationId)).toEqual(['second']);
  });

  test('moves although the network between the cells fails while it is copied', async ({
    cells,
  }) => {
    const { first, second } = cells;
    await retryOften(second);
    const { session } = await aTenant(first.orm.em);
    const { organizationId } = session;
    await oneOfEach(session);
    const before = await contentOf(first, organizationId);
    await using network = await startProxy(first.databaseUrl);
    const reports: string[] = [];
    const cut = async (state: string) => {
      await hasTables(second, organizationId, state);
      network.cut();
    };
    const cuts = ['d', 'r'].map(cut);
    await moveOrganization(
      moveOf(organizationId, first, second, {
        fromUrl: network.databaseUrl,
        report: (line) => reports.push(line),
      }),
    );
    await Promise.all(cuts);
    expect(reports.filter((line) => line.includes('has stopped the copy'))).not.toEqual([]);
    expect(await servedBy(cells, organizationId)).toEqual(['second']);
    expect(await contentOf(second, organizationId)).toEqual(before);
    await expectNothingLeft(second);
    await removeMoved(await observe(first), organizationId);
  });

  test('stays where it is when the other cell refuses a row of it', async ({ cells }) => {
    const { first, second } = cells;
    await retryOften(second);
    const { session } = await aTenant(first.orm.em);
    const { organizationId } = session;
    await oneOfEach(session);
    const other = await aTenant(second.orm.em);
    await oneOfEach(other.session);
    const mail = `update operator set email = 'same@example.com' where organization_id = $1`;
    await first.query(mail, [organizationId]);
    const reports: string[] = [];
    const moving = moveOrganization(
      moveOf(organizationId, first, second, {
        report(line) {
          reports.push(line);
          if (line === 'Preparing both cells') {
            void second.query(mail, [other.session.organizationId]);
          }
        },
      }),
    );
    await expect(moving).rejects.toThrow('The other cell refuses a row');
    const stops = reports.filter((line) => line.includes('has stopped the copy'));
    expect(stops.length).toBeGreaterThanOrEqual(5);
    expect(await servedBy(cells, organizationId)).toEqual(['first']);
    await expectNothingLeft(first);
    await expectNothingLeft(second);
  });

  test('is refused before anything changes where the other cell cannot have it', {
    tags: ['smoke'],
  }, async ({ cells }) => {
    const { first, second } = cells;
    const { session } = await aTenant(first.orm.em);
    const { organizationId } = session;
    await oneOfEach(session);
    const other = await aTenant(second.orm.em);
    await oneOfEach(other.session);
    await second.query(
      `update operator set email = (select 'taken@example.com') where organization_id = $1`,
      [other.session.organizationId],
    );
    await first.query(
      `update operator set email = 'taken@example.com' where organization_id = $1`,
      [organizationId],
    );
    await first.query(
      `update webhook set secret = 'sealed:00000000:x' where organization_id = $1`,
      [organizationId],
    );
    const refusal = moveOrganization(moveOf(organizationId, first, second));
    await expect(refusal).rejects.toThrow('exist in the other cell');
    await expect(refusal).rejects.toThrow('encrypted with the key 00000000');
    await expect(moveOrganization(moveOf(organizationId, first, first))).rejects.toThrow(
      'is the database of this cell itself',
    );
    await expect(moveOrganization(moveOf('org_none', first, second))).rejects.toThrow(
      'There is no organization org_none in this cell',
    );
    await expectNothingLeft(first);
    await expectNothingLeft(second);
  });
});

/** Waits until an organization has a state in a cell by a program that runs. */
async function hasState({ query }: Cell, organizationId: string, state: string) {
  for (;;) {
    const rows = await query(
      `select from organization_move m where organization_id = $1 and state = $2
         and exists (select from pg_stat_activity where application_name = 'tollgate tenant')
         and (state <> 'frozen' or exists (select from absent_organizations() a where a.organization_id = m.organization_id))`,
      [organizationId, state],
    );
    if (rows.length > 0) return;
    await sleep(5);
  }
}

/** Waits until tables of an organization that arrives have a state of their copy. */
async function hasTables({ query }: Cell, organizationId: string, state: string) {
  const find = `select from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid
    where s.subname = 'tollgate_move_' || left(md5($1), 12) and r.srsubstate = $2 limit 1`;
  while ((await query(find, [organizationId, state])).length === 0) await sleep(5);
}

/** Lets a server try again soon after an error of a copy. */
async function retryOften({ query }: Cell) {
  await query(`alter system set wal_retrieve_retry_interval = '100ms'`);
  await query('select pg_reload_conf()');
}

/** No instant finds an organization in two cells: what the second one serves, the first one never serves again. */
async function watchCells({ first, second }: Cells, organizationId: string, stop: AbortSignal) {
  let looks = 0;
  for (; !stop.aborted; looks++) {
    const there = await serves(second, organizationId);
    expect(there && (await serves(first, organizationId))).toBe(false);
    await sleep(10);
  }
  return looks;
}

/** The names of the cells that serve an organization now. */
async function servedBy({ first, second }: Cells, organizationId: string): Promise<string[]> {
  const served = await Promise.all(
    [first, second].map(async (cell) => ((await serves(cell, organizationId)) ? [cell.name] : [])),
  );
  return served.flat();
}

/** Whether a cell serves an organization now. */
async function serves({ query }: Cell, organizationId: string): Promise<boolean> {
  const rows = await query(
    `select from organization where id = $1
       and id not in (select a.organization_id from absent_organizations() a)`,
    [organizationId],
  );
  return rows.length > 0;
}

/** Events get their places, and their deliveries, at the latest when they move. */
const numbered = new Set(['event', 'event_head', 'webhook_delivery']);

/** The rows of an organization and what its counters say. */
async function contentOf({ databaseUrl, query }: Cell, organizationId: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = copiedTables(await tenantTables(client));
    const rows = await Promise.all(
      tables
        .filter(({ name }) => !numbered.has(name))
        .map(async ({ name, column, columns }) => {
          const all = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
          return {
            name,
            rows: await query(
              `select ${all} from ${name} where ${column} = $1 order by row(${all})::text collate "C"`,
              [organizationId],
            ),
          };
        }),
    );
    const counted = await query(
      `select relation, pricing_model_id, sum(rows)::int as rows from row_count where organization_id = $1
         and relation <> 'webhook_delivery' group by 1, 2 having sum(rows) <> 0 order by 1, 2`,
      [organizationId],
    );
    return { rows, counted };
  } finally {
    await client.end();
  }
}

/** The longest time between two instants that follow each other, in milliseconds. */
const longestGap = (instants: number[]) =>
  Math.round(
    Math.max(
      ...instants.toSorted((a, b) => a - b).map((at, place, all) => at - (all[place - 1] ?? at)),
    ),
  );

const deliveryOf = ({ body }: { body: string }) => {
  const { id, objectId } = JSON.parse(body);
  return { id, objectId };
};

/** Another organization of a cell, and what its clients know. */
async function aNeighbour(cell: Cell) {
  const { session, key } = await aTenant(cell.orm.em);
  const world = await aWorld(session, capacity);
  return { cell, key, world, organizationId: session.organizationId, acknowledged: newKnowledge() };
}

/** Notes the instants of refusals by a move, and of answers. */
function timed(caller: Caller, refusals: number[], answers: number[] = []): Caller {
  return {
    ...caller,
    async once(...call) {
      const answer = await caller.once(...call);
      // A busy machine refuses now and then for other reasons.
      if (answer?.status === 503 && /being moved/.test(answer.body.message))
        refusals.push(performance.now());
      else if (answer) answers.push(performance.now());
      return answer;
    },
  };
}

/** No cell ever has more seats taken than there are. */
async function watchSeats(cells: readonly Cell[], world: World, stop: AbortSignal) {
  const observers = await Promise.all(cells.map(observe));
  while (!stop.aborted) {
    for (const observer of observers) {
      const { claimed, reserved } = await seatsTaken(observer, world);
      expect(claimed + reserved).toBeLessThanOrEqual(world.capacity);
    }
    await sleep(100);
  }
}
