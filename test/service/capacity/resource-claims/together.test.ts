// @module-tag long
import { LockMode } from '@mikro-orm/core';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { fresh } from '../../../support/factories.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { seeded } from '../../../support/seeded.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const capacity = 4;
type Seats = Awaited<ReturnType<typeof aBusySubscription>>;

const claim = (session: Session, seats: Seats, quantity = 1) =>
  claimResource(fresh(session), { ...seats, quantity });
const release = (session: Session, seats: Seats, quantity = 1) =>
  releaseResource(fresh(session), { ...seats, quantity });

const several = <T>(count: number, one: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, one));

describe('calls that come at the same time', () => {
  test('share transactions, and each has its own claim and its own event', async ({ session }) => {
    const all = await several(12, () => aBusySubscription(session));
    const made = await Promise.all(all.map((seats) => claim(session, seats)));
    for (const [place, { claims, usage }] of made.entries()) {
      const { subscriptionId = '' } = all[place] ?? {};
      expect(claims).toMatchObject([{ subscriptionId }]);
      expect(usage).toMatchObject({ subscriptionId, claimed: 1 });
    }
    const events = await fresh(session).em.find(Event, { type: 'resource_claim.created' });
    expect(new Set(events.map(({ objectId }) => objectId)).size).toBe(12);
    expect(new Set(events.map(({ transactionId }) => transactionId)).size).toBeLessThan(12);
  });

  test('leave the same rows, answers and events as calls by themselves', async ({ session }) => {
    const seats = await several(2, () => aBusySubscription(session));
    const outcomes = await Promise.all(
      seats.map(async (of, place) => {
        const metadata = { team: 'blue', floor: 2 };
        const own = { ...fresh(session), causeId: `cause-${place}` };
        // A call within a larger transaction is not batched.
        const execute = <T>(work: (session: Session) => Promise<T>) =>
          place === 0 ? work(own) : own.em.transactional((em) => work({ ...own, em }));
        const made = await execute((own) => claimResource(own, { ...of, quantity: 2, metadata }));
        const gone = await execute((own) => releaseResource(own, { ...of, quantity: 1 }));
        const { em } = fresh(session);
        const ids = made.claims.map(({ id }) => id);
        const rows = await em.execute(
          `select version, livemode, organization_id, pricing_model_id, external_id, claimed_at = created_at as claimed,
             coalesce(released_at, created_at) = updated_at as released, expired_at, metadata, test_clock_id
           from resource_claim where subscription_id = ? order by version`,
          [of.subscriptionId],
        );
        const events = await em.execute(
          `select type, object_type, object_version, previous_attributes, livemode, organization_id, pricing_model_id,
             replace(cause_id, ?, '') as cause, data - 'id' - 'createdAt' - 'updatedAt' - 'claimedAt' - 'releasedAt'
               - 'resourceId' - 'subscriptionId' as data
           from event where object_id in (?) order by type, position`,
          [String(place), ids],
        );
        const { usage } = gone;
        const left = { capacity: usage.capacity, claimed: usage.claimed, reserved: usage.reserved };
        return { rows, events, left, counts: [made.usage.claimed, gone.releasedClaims.length] };
      }),
    );
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]?.rows).toMatchObject([
      { version: 1, metadata: { team: 'blue', floor: 2 } },
      { version: 2 },
    ]);
    expect(outcomes[0]?.events.map(({ cause }: { cause?: string }) => cause)).toEqual(
      Array(3).fill('cause-'),
    );
  });

  test('are refused one by one: who has no seat left takes none from the others', async ({
    session,
  }) => {
    const [few, many] = await Promise.all([
      aBusySubscription(session, 1),
      aBusySubscription(session, 9),
    ]);
    const outcomes = await Promise.allSettled([
      ...(await several(3, async () => [few, many])).flat().map((seats) => claim(session, seats)),
      claimResource(fresh(session), { ...many, resourceSlug: 'unknown', quantity: 1 }),
      claimResource(fresh(session), { ...many, subscriptionId: 'sub_unknown', quantity: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      ...Array(4).fill('fulfilled'),
      ...Array(4).fill('rejected'),
    ]);
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(reasons.sort()).toEqual(['BAD_REQUEST', 'CONFLICT', 'CONFLICT', 'NOT_FOUND']);
  });

  test('a claim and its release are two events, also when both wait in the same moment', async ({
    session,
  }) => {
    const seats = await aBusySubscription(session);
    await Promise.all([claim(session, seats), release(session, seats)]);
    const { em } = fresh(session);
    const types = (await em.find(Event, { objectType: 'ResourceClaim' })).map(({ type }) => type);
    expect(types.sort()).toEqual(['resource_claim.created', 'resource_claim.released']);
  });

  test('only callers of a locked subscription wait for it', async ({ session }) => {
    const [locked, ...others] = await several(5, () => aBusySubscription(session));
    let waiting: Promise<unknown> = Promise.resolve();
    await fresh(session).em.transactional(async (em) => {
      await em.findOneOrFail(Subscription, locked?.subscriptionId ?? '', {
        lockMode: LockMode.PESSIMISTIC_WRITE,
      });
      let answered = false;
      waiting = claim(session, locked as Seats).finally(() => {
        answered = true;
      });
      const answers = await Promise.all(others.map((seats) => claim(session, seats)));
      expect(answers.map(({ claims }) => claims.length)).toEqual([1, 1, 1, 1]);
      expect(answered).toBe(false);
    });
    expect(await waiting).toMatchObject({ usage: { claimed: 1 } });
  });
});

/** Locks a resource until it is released, or the test ends; claims of it wait for that. */
async function holdResource(session: Session, { resourceId }: Seats) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = fresh(session).em.transactional(async (em) => {
    await em.findOneOrFail(Resource, resourceId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  const release = async () => {
    ended.resolve();
    await done;
  };
  return { release, [Symbol.asyncDispose]: release };
}

test('only claims of a locked resource wait for it', async ({ session }) => {
  const [locked, ...others] = await several(4, () => aBusySubscription(session));
  await using resource = await holdResource(session, locked as Seats);
  let answered = false;
  const waiting = claim(session, locked as Seats).finally(() => {
    answered = true;
  });
  const began = performance.now();
  const made = await Promise.all(others.map((seats) => claim(session, seats)));
  expect(made.map(({ claims }) => claims.length)).toEqual([1, 1, 1]);
  expect(answered).toBe(false);
  // Any other statement waits for 15 seconds.
  expect(performance.now() - began).toBeLessThan(10_000);
  await resource.release();
  expect(await waiting).toMatchObject({ usage: { claimed: 1 } });
});

test('a call whose connection is lost is notified, and not executed a second time', async ({
  session,
}) => {
  const seats = await aBusySubscription(session);
  await using resource = await holdResource(session, seats);
  const outcome = claim(session, seats).then(
    () => 'claimed',
    () => 'failed',
  );
  /** Those who wait for a lock with a statement like this. */
  const waiting = (statement: string, what: string) =>
    fresh(session).em.execute<object[]>(
      `select ${what} from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and query like ? and pid <> pg_backend_pid()`,
      [`%${statement}%`],
    );
  const polled = { interval: 1, timeout: 20_000 };
  const kill = () => waiting('change_claims', 'pg_terminate_backend(pid)');
  await expect.poll(async () => (await kill()).length, polled).toBe(1);
  let told: string | undefined;
  void outcome.then((text) => {
    told = text;
  });
  const becomes = async () =>
    told ?? (await waiting('claim_resource', 'pid')).map(() => 'again')[0];
  await expect.poll(becomes, polled).toBeDefined();
  expect(await becomes()).toBe('failed');
  await resource.release();
  const { usage } = await claim(session, seats);
  expect(usage.claimed).toBe(1);
});

const steps = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 12 });

test('whatever many subscriptions claim and release at the same time, each is as if it were alone', async ({
  session,
}) => {
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 4, maxLength: 8 }),
    async (all) => {
      await Promise.all(
        all.map(async (steps) => {
          const seats = await aBusySubscription(session, capacity);
          let taken = 0;
          for (const step of steps) {
            const refused = step < 0 ? taken + step < 0 : taken + step > capacity;
            const attempt =
              step < 0 ? release(session, seats, -step) : claim(session, seats, step || 1);
            const by = step || 1;
            if (refused || taken + by > capacity) {
              await expect(attempt).rejects.toMatchObject({ name: 'DomainError' });
              continue;
            }
            taken += by;
            expect((await attempt).usage).toMatchObject({ claimed: taken, capacity });
          }
        }),
      );
    },
  );
  await fc.assert(property, seeded('claims together', { numRuns: 6 }));
});
