import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { connect } from '#server/database/database.ts';
import { effort } from '../../support/effort.ts';
import { fresh } from '../../support/factories.ts';
import { synchronous } from '../../support/fleet/databases.ts';
import { freePorts } from '../../support/fleet/free-ports.ts';
import { listening, until } from '../../support/fleet/member.ts';
import { findPrograms, type Programs } from '../../support/fleet/programs.ts';
import { createCellsProxy } from '../../support/fleet/start-cells.ts';
import { type Fleet, startFleet } from '../../support/fleet/start-fleet.ts';
import { expectLedgersToAgree } from '../../support/ledger.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { startService } from '../../support/process.ts';
import { randomOf } from '../../support/random.ts';
import { runHere } from '../../support/run-here.ts';
import { testSecretsKey } from '../../support/secrets.ts';
import { startCell } from '../../support/servers/cells.ts';
import { aTenant } from '../../support/tenant.ts';
import { type Caller, callerOf } from '../faults/caller.ts';
import { bill, buy, fightForSeats, newKnowledge, reportUsage } from '../faults/clients.ts';
import { follow } from '../faults/follower.ts';
import {
  expectFeedToBeWhole,
  expectMonths,
  expectOpenStatesToBeDue,
  expectPurchases,
  expectUsage,
  seatsTaken,
} from '../faults/invariants.ts';
import { aWorld } from '../faults/world.ts';

const programs = await findPrograms().catch((error) => {
  process.stdout.write(`The test of the fail-over is skipped: ${error.message}\n`);
});
const capacity = 20;
const clientCount = 16;
/** `EFFORT=2 npm test -- fail-over` takes minutes more. */
const moves = effort > 1;

describe.skipIf(!programs)('A fleet of three processes, three PostgreSQL and PgBouncer', () => {
  test.skipIf(moves)(
    'loses nothing that was acknowledged and answers no 500 when the leader is killed, and then a standby',
    { timeout: 600_000 },
    exercise,
  );

  test.runIf(moves)(
    'the same, and while an organization moves to another cell and a backup is taken',
    { timeout: 1_800_000 },
    exercise,
  );

  async function exercise() {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fleet-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 9 }));
    const settings = {
      SECRETS_KEY: testSecretsKey,
      BOOTSTRAP_SECRET_KEY: 'sk_test_fleet_fleet_fleet_fleet_fleet',
      LOG_LEVEL: 'warn',
      METRICS_TOKEN: 'a token of twenty letters',
      TOLLGATE_CELL: 'one',
    };
    if (!programs) throw new Error('There are no programs');
    const fleet = await startFleet({ programs, folder, settings });
    onTestFinished(() => fleet[Symbol.asyncDispose]());
    const { databases, directUrl } = fleet;

    const orm = await connect({ databaseUrl: directUrl, poolSize: 5 });
    onTestFinished(() => orm.close(true));
    const { session, key } = await aTenant(orm.em);
    const world = await aWorld(session, capacity);
    const working = new AbortController();
    const following = new AbortController();
    onTestFinished(() => following.abort());
    const acknowledged = newKnowledge();
    const statuses: (number | undefined)[] = [];
    const counted = (caller: Caller): Caller => ({
      ...caller,
      async once(...call) {
        const answer = await caller.once(...call);
        statuses.push(answer?.status);
        return answer;
      },
    });
    const other = moves ? await anotherCell({ folder, programs, fleet }) : undefined;
    const address = () => other?.url ?? fleet.url;
    const follower = follow(address, key, session.pricingModelId, following.signal);
    const clients = Array.from({ length: clientCount }, async (_, place) => {
      const work =
        [reportUsage, fightForSeats, buy, place < 4 ? bill : reportUsage][place % 4] ?? buy;
      await work({
        name: `client-${place}`,
        caller: counted(callerOf(address, key, working.signal)),
        random: randomOf(100 + place),
        world,
        acknowledged,
        stop: working.signal,
      });
    });
    const successes = () => statuses.filter((status) => status === 200).length;
    const more = (count: number) => {
      const before = successes();
      return until('further answers', async () => successes() >= before + count);
    };

    const scenario = async () => {
      await more(300);
      const leader = await synchronous(databases);
      const before = performance.now();
      await leader.kill();
      await until('the service to refuse', async () => statuses.includes(503));
      await more(50);
      const seconds = Math.round((performance.now() - before) / 1_000);
      process.stdout.write(
        `The leader was killed after ${statuses.indexOf(503)} answers; 50 further ones were there ${seconds} s later\n`,
      );
      await more(300);
      leader.start();
      await until('the killed one to follow', async () => {
        const role = await leader.role();
        return role === 'replica' || role === 'sync_standby';
      });
      await more(100);
      const roles = await Promise.all(databases.map((each) => each.role()));
      await databases[roles.indexOf('sync_standby')]?.kill();
      await more(100);
      if (!other) return;
      await moveWithBackup(other);
      await more(100);
    };
    const moveWithBackup = async ({ second, map, socket }: OtherCell) => {
      const { organizationId } = session;
      const own = { DATABASE_URL: directUrl };
      const to = ['--to', second.databaseUrl, '--cell', 'two', '--map', map, '--haproxy', socket];
      const moving = runHere(['tenant', 'move', organizationId, ...to], own);
      await until('the move to begin', () =>
        metricsOf(fleet).then((text) =>
          text.includes('tollgate_organization_moves{state="copying"} 1'),
        ),
      );
      const file = path.join(folder, 'backup.tar.gz');
      const backup = await runHere(['backup', file, '--verify'], own);
      expect(backup, backup.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Verified: .* 0 with a difference\n$/),
      });
      const moved = await moving;
      expect(moved, moved.stdout + moved.stderr).toMatchObject({ code: 0 });
      process.stdout.write(`${moved.stdout.trimEnd().split('\n').at(-1)}\n`);
      const [, milliseconds] = /it was away for (\d+) ms/.exec(moved.stdout) ?? [];
      expect(Number(milliseconds)).toBeLessThan(5_500);
    };
    await Promise.all([scenario().finally(() => working.abort()), ...clients]);

    const known = new Set(statuses);
    expect(known.has(500)).toBe(false);
    const text = await metricsOf(fleet);
    expect(text).toContain('tollgate_cell_info{cell="one"} 1');
    expect(text).toContain(`tollgate_organization_moves{state="moved"} ${other ? 1 : 0}`);
    if (other) expect(text).toMatch(/^tollgate_organization_frozen_seconds [1-5]/m);
    const lastUrl = other?.second.databaseUrl ?? directUrl;
    const observer = new pg.Client({ connectionString: lastUrl });
    await observer.connect();
    onTestFinished(() => observer.end());
    const { claimed, reserved } = await seatsTaken(observer, world);
    expect(claimed + reserved).toBeLessThanOrEqual(capacity);
    await expectOpenStatesToBeDue(observer);
    await expectPurchases(observer, acknowledged);
    await expectUsage(observer, world, acknowledged);
    await expectMonths(observer, acknowledged);
    const { em: _em, apiKeyId, ...scope } = session;
    const last = await connect({ databaseUrl: lastUrl, poolSize: 5 });
    onTestFinished(() => last.close(true));
    const there = openSession(last.em, { ...scope, now: new Date() }, apiKeyId);
    await expectMoneyToAgree(there);
    await expectLedgersToAgree(fresh(there));
    await expectFeedToBeWhole(observer, follower);
    const count = (status: number | undefined) => statuses.filter((each) => each === status).length;
    process.stdout.write(
      `${count(200)} answers with 200, ${count(503)} with 503, ${count(undefined)} without answer; ` +
        `${acknowledged.usage.size} usage events, ${acknowledged.purchases.size} purchases, ${acknowledged.replays} replays\n`,
    );
  }
});

/** The metrics of a process of the fleet that is there. */
async function metricsOf({ gateways: [gateway] }: Fleet): Promise<string> {
  const headers = { authorization: 'Bearer a token of twenty letters' };
  const answer = await fetch(`${gateway?.url}/metrics`, { headers });
  return answer.text();
}

/** A second cell, and HAProxy that leads requests to it or to the fleet. */
async function anotherCell({ folder, programs, fleet }: CellPlace) {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const second = await startCell('two', opened);
  const service = await startService({
    DATABASE_URL: second.databaseUrl,
    TOLLGATE_CELL: 'two',
  });
  const map = path.join(folder, 'cells.map');
  await writeFile(map, '');
  const [port = 0] = await freePorts(1);
  const cells = [new URL(fleet.url).host, new URL(service.url).host] as const;
  const { haproxy: command, env } = programs;
  const proxy = createCellsProxy({ command, env, folder, map, port, cells });
  proxy.start();
  opened.defer(() => proxy.stop());
  await listening('HAProxy', port);
  return { second, map, socket: proxy.socket, url: `http://127.0.0.1:${port}` };
}

type OtherCell = Awaited<ReturnType<typeof anotherCell>>;

interface CellPlace {
  readonly folder: string;
  readonly programs: Programs;
  readonly fleet: Fleet;
}
