// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { fresh } from '../../../support/factories.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { seeded } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';

type Seats = Awaited<ReturnType<typeof aBusySubscription>>;

/** Calls of more than 100 claims have a transaction of their own; smaller ones share theirs. */
const claim = (session: Session, seats: Seats, quantity: number) =>
  claimResource(fresh(session), { ...seats, quantity });
const release = (session: Session, seats: Seats, quantity: number) =>
  releaseResource(fresh(session), { ...seats, quantity });

/** The rows of claims that are not released, their counters, and how many events created and released claims. */
async function stored(session: Session, { subscriptionId }: Seats) {
  const [found] = await fresh(session).em.execute<[Record<string, string>]>(
    `select
       (select count(*) from resource_claim where subscription_id = ? and released_at is null) as rows,
       (select coalesce(sum(claimed), 0) from resource_claim_count where subscription_id = ?) as counted,
       (select count(*) from event where type = 'resource_claim.created' and data ->> 'subscriptionId' = ?) as created,
       (select count(*) from event where type = 'resource_claim.released' and data ->> 'subscriptionId' = ?) as released`,
    Array(4).fill(subscriptionId),
  );
  const numbers = Object.entries(found).map(([name, value]) => [name, Number(value)] as const);
  return Object.fromEntries(numbers) as Record<'rows' | 'counted' | 'created' | 'released', number>;
}

test.for([
  [300, 200],
  [10, 6],
] as const)(
  'of two callers who want more than half of %i each, one claims',
  async ([seats, quantity], { session }) => {
    const of = await aBusySubscription(session, seats);
    for (let round = 0; round < 3; round++) {
      const both = [claim(session, of, quantity), claim(session, of, quantity)];
      const [won, lost] = (await Promise.allSettled(both)).toSorted((a) =>
        a.status === 'fulfilled' ? -1 : 1,
      );
      expect(won).toMatchObject({ value: { usage: { claimed: quantity } } });
      expect(lost).toMatchObject({ reason: { code: 'CONFLICT' } });
      expect(await stored(session, of)).toMatchObject({ rows: quantity, counted: quantity });
      await release(session, of, quantity);
    }
  },
);

test('a release of many beside claims frees each unit once, and no call is refused', async ({
  session,
}) => {
  const of = await aBusySubscription(session, 4_000);
  await claim(session, of, 3_000);
  const calls = Array.from({ length: 20 }, (_, n) => claim(session, of, n % 2 ? 5 : 60));
  const [{ releasedClaims }] = await Promise.all([release(session, of, 3_000), ...calls]);
  expect(new Set(releasedClaims.map(({ id }) => id)).size).toBe(3_000);
  const expected = { rows: 650, counted: 650, created: 3_650, released: 3_000 };
  expect(await stored(session, of)).toEqual(expected);
});

const calls = fc.array(
  fc.record({
    claims: fc.boolean(),
    size: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 101, max: 180 })),
  }),
  { minLength: 4, maxLength: 12 },
);

test('whatever is called simultaneously, rows, counters, events and answers agree within the capacity', async ({
  session,
}) => {
  const property = fc.asyncProperty(calls, async (calls) => {
    const of = await aBusySubscription(session, 250);
    const outcomes = await Promise.allSettled(
      calls.map(async ({ claims, size }) => {
        const { usage } = await (claims ? claim : release)(session, of, size);
        expect(usage.claimed).toBeLessThanOrEqual(250);
        return claims ? size : -size;
      }),
    );
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'DomainError' });
    const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0);
    const created = sum(done.filter((size) => size > 0));
    const left = sum(done);
    const expected = { rows: left, counted: left, created, released: created - left };
    expect(await stored(session, of)).toEqual(expected);
  });
  await fc.assert(property, seeded('large claims', { numRuns: 10 }));
});
