// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { confirmReservation } from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import { releaseReservation } from '#domain/capacity/commands/reservations/release-reservation.ts';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { activeAt } from '#domain/capacity/resource-usages.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { seeded } from '../../../support/seeded.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const capacity = 20;

/** A session of a process whose clock is so many milliseconds ahead of the test's. */
function real(session: Session, ahead = 0): Session {
  const { em, apiKeyId, ...scope } = session;
  const now = new Date(Date.now() + ahead);
  return openSession(em, { ...scope, now, clock: { latest: now } }, apiKeyId);
}

interface Of {
  readonly subscriptionId: string;
  readonly resourceSlug: string;
}

/** A reservation of all seats that ends so many milliseconds from now, by the database's clock. */
async function aReservation(session: Session, { subscriptionId, resourceSlug }: Of, left: number) {
  const { reservation } = await reserveResource(real(session), {
    subscriptionId,
    resourceSlug,
    quantity: capacity,
  });
  await session.em.fork().execute(
    `update reservation set created_at = clock_timestamp() - interval '1 minute',
       expires_at = clock_timestamp() + make_interval(secs => ?) where id = ?`,
    [left / 1_000, reservation.id],
  );
  return reservation.id;
}

const claimed = (session: Session, { subscriptionId }: Of) =>
  session.em
    .fork()
    .count(ResourceClaim, { subscriptionId, ...activeAt(new Date(Date.now() + 60_000)) });

const statusOf = async (session: Session, id: string) =>
  (await session.em.fork().findOneOrFail(Reservation, id)).status;

const answerOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

/** Locks a subscription's row for a while, as another program would. */
async function whileLocked<T>(session: Session, { subscriptionId }: Of, work: () => Promise<T>) {
  const em = session.em.fork();
  await em.begin();
  await em.execute('select 1 from subscription where id = ? for update', [subscriptionId]);
  const result = await work();
  await em.commit();
  return result;
}

const claimAll = (session: Session, { subscriptionId, resourceSlug }: Of, ahead = 0) =>
  claimResource(real(session, ahead), { subscriptionId, resourceSlug, quantity: capacity });

describe('at the end of a reservation', () => {
  test('a request that began by a fast clock reserves no seat of it', async ({ session }) => {
    const of = await aBusySubscription(session, capacity);
    const id = await aReservation(session, of, 3_600);
    const reserves = reserveResource(real(session, 7_200_000), { ...of, quantity: 1 });
    await expect(reserves).rejects.toThrow('Not enough capacity');
    expect(await statusOf(session, id)).toBe('held');
  });

  test('a claim with a key has no lock on the subscription while it waits for the customer', async ({
    api,
    session,
  }) => {
    const { subscriptionId, resourceSlug } = await aBusySubscription(session, capacity);
    const id = await aReservation(session, { subscriptionId, resourceSlug }, -1_000);
    const em = session.em.fork();
    await em.begin();
    await em.execute(
      'select from customer where id = (select customer_id from subscription where id = ?) for update',
      [subscriptionId],
    );
    const claiming = api(
      'POST',
      `/resource-claims/${subscriptionId}/claim`,
      { resourceSlug, quantity: capacity },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    );
    const waiting = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await em.execute(waiting))[0]?.count).toBeGreaterThan(0);
    // A command that has the customer locks its subscription next.
    await em.execute('select from subscription where id = ? for update nowait', [subscriptionId]);
    await em.commit();
    expect(await claiming).toMatchObject({ status: 200, body: { usage: { claimed: capacity } } });
    expect(await statusOf(session, id)).toBe('expired');
  });

  test('seats are never sold twice, however its last milliseconds are used', async ({
    session,
  }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          left: fc.integer({ min: 0, max: 30 }),
          waits: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 4 }),
          ahead: fc.constantFrom(-30_000, 0, 30_000),
          first: fc.boolean(),
        }),
        async ({ left, waits, ahead, first }) => {
          const seats = await aBusySubscription(session, capacity);
          const id = await aReservation(session, seats, left);
          const confirm = async () => {
            if (!first) await pause(left - 2);
            return answerOf(confirmReservation(real(session, ahead), { id }));
          };
          const claims = waits.map(async (wait) => {
            await pause(wait);
            return answerOf(claimAll(session, seats, -ahead));
          });
          const answers = await Promise.all([confirm(), ...claims]);
          expect(await claimed(session, seats)).toBeLessThanOrEqual(capacity);
          expect(answers.filter((answer) => answer === 'done').length).toBeLessThanOrEqual(1);
        },
      ),
      seeded('seats at the end of a reservation', { numRuns: 25 }),
    );
  });

  test('a lock that is waited for past the end decides by the time after it', async ({
    session,
  }) => {
    const seats = await aBusySubscription(session, capacity);
    const id = await aReservation(session, seats, 150);
    const answers = await whileLocked(session, seats, async () => {
      const asked = [
        answerOf(confirmReservation(real(session), { id })),
        answerOf(claimAll(session, seats)),
      ];
      await pause(250);
      return asked;
    });
    expect(await Promise.all(answers)).toEqual([
      `Reservation ${id} can no longer be confirmed: it is expired`,
      'done',
    ]);
    expect(await statusOf(session, id)).toBe('expired');
    expect(await claimed(session, seats)).toBe(capacity);
  });

  test.for([30_000, -30_000])(
    'processes agree whose clocks are %i ms apart: what is reserved is no other client’s',
    async (ahead, { session }) => {
      const seats = await aBusySubscription(session, capacity);
      const id = await aReservation(session, seats, 10_000);
      expect(await answerOf(claimAll(session, seats, ahead))).toMatch(/^Not enough capacity/);
      expect(await answerOf(confirmReservation(real(session, -ahead), { id }))).toBe('done');
      expect(await claimed(session, seats)).toBe(capacity);
    },
  );

  test.for([30_000, -30_000])(
    'processes agree whose clocks are %i ms apart: what is over is free',
    async (ahead, { session }) => {
      const seats = await aBusySubscription(session, capacity);
      const id = await aReservation(session, seats, -10);
      expect(await answerOf(claimAll(session, seats, ahead))).toBe('done');
      expect(await statusOf(session, id)).toBe('expired');
      const late = await answerOf(confirmReservation(real(session, -ahead), { id }));
      expect(late).toBe(`Reservation ${id} can no longer be confirmed: it is expired`);
    },
  );

  test('a status that was written stays, even where a later clock shows an earlier time', async ({
    session,
  }) => {
    const seats = await aBusySubscription(session, capacity);
    const id = await aReservation(session, seats, -10);
    await claimAll(session, seats);
    const { em, apiKeyId, ...scope } = session;
    const earlier = openSession(em, { ...scope, now: new Date(Date.now() - 60_000) }, apiKeyId);
    expect(await answerOf(confirmReservation(earlier, { id }))).toMatch(/it is expired$/);
    expect(await releaseReservation(earlier, { id })).toMatchObject({ status: 'expired' });
    expect(await claimed(session, seats)).toBe(capacity);
  });
});

const pause = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
