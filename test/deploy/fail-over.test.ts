import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '#server/database.ts';
import { synchronous } from '../../src/deploy/fleet/databases.ts';
import { until } from '../../src/deploy/fleet/member.ts';
import { findPrograms } from '../../src/deploy/fleet/programs.ts';
import { startFleet } from '../../src/deploy/fleet/start-fleet.ts';
import { type Caller, callerOf } from '../faults/caller.ts';
import { buy, fightForSeats, newKnowledge, reportUsage } from '../faults/clients.ts';
import { follow } from '../faults/follower.ts';
import {
  expectFeedToBeWhole,
  expectOpenStatesToBeDue,
  expectPurchases,
  expectUsage,
  seatsTaken,
} from '../faults/invariants.ts';
import { randomOf } from '../faults/random.ts';
import { aWorld } from '../faults/world.ts';
import { fresh } from '../support/factories.ts';
import { expectLedgersToAgree } from '../support/ledger.ts';
import { expectMoneyToAgree } from '../support/money.ts';
import { testSecretsKey } from '../support/secrets.ts';
import { aTenant } from '../support/test.ts';

const programs = await findPrograms().catch((error) => {
  process.stdout.write(`The test of the fail-over is skipped: ${error.message}\n`);
});
const capacity = 20;
const clientCount = 16;

describe.skipIf(!programs)('A fleet of three processes, three PostgreSQL and PgBouncer', () => {
  test('loses nothing that was acknowledged and answers no 500 when the leader is killed, and then a standby', {
    timeout: 600_000,
  }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fleet-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 9 }));
    const settings = {
      SECRETS_KEY: testSecretsKey,
      BOOTSTRAP_SECRET_KEY: 'sk_test_fleet_fleet_fleet_fleet_fleet',
      LOG_LEVEL: 'warn',
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
    const address = () => fleet.url;
    const follower = follow(address, key, session.pricingModelId, following.signal);
    const clients = Array.from({ length: clientCount }, async (_, place) => {
      const work = [reportUsage, fightForSeats, buy, reportUsage][place % 4] ?? buy;
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
    };
    await Promise.all([scenario().finally(() => working.abort()), ...clients]);

    const known = new Set(statuses);
    expect(known.has(500)).toBe(false);
    const observer = new pg.Client({ connectionString: directUrl });
    await observer.connect();
    onTestFinished(() => observer.end());
    const { claimed, reserved } = await seatsTaken(observer, world);
    expect(claimed + reserved).toBeLessThanOrEqual(capacity);
    await expectOpenStatesToBeDue(observer);
    await expectPurchases(observer, acknowledged);
    await expectUsage(observer, world, acknowledged);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
    await expectFeedToBeWhole(observer, follower);
    const count = (status: number | undefined) => statuses.filter((each) => each === status).length;
    process.stdout.write(
      `${count(200)} answers with 200, ${count(503)} with 503, ${count(undefined)} without answer; ` +
        `${acknowledged.usage.size} usage events, ${acknowledged.purchases.size} purchases, ${acknowledged.replays} replays\n`,
    );
  });
});
