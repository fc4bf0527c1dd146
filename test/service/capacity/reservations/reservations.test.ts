import { describe, expect } from 'vitest';
import { confirmReservation } from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import { releaseReservation } from '#domain/capacity/commands/reservations/release-reservation.ts';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { resourceUsages } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { activeClaims, aSubscriptionWithSeats, type Seats } from '../../../support/seats.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh } from '../../../support/timeline.ts';

const test = base.extend('seats', ({ session }) => aSubscriptionWithSeats(session));

const reserve = async (session: Session, seats: Seats, input: object) =>
  (await reserveResource(fresh(session), { ...seats, ...input })).reservation;

const usage = async (session: Session, seats: Seats) => {
  const [first] = await resourceUsages(fresh(session), seats);
  return [first?.capacity, first?.claimed, first?.reserved];
};

const typesOf = async (session: Session, id: string) =>
  (await eventsOf(session, id)).map(({ type }) => type.replace('reservation.', ''));

describe('a reservation', () => {
  test('reserves capacity against claims and other reservations', async ({ session, seats }) => {
    await claimResource(fresh(session), { ...seats, quantity: 1 });
    await reserve(session, seats, { quantity: 3 });
    expect(await usage(session, seats)).toEqual([5, 1, 3]);
    const two = { ...seats, quantity: 2 };
    await expect(claimResource(fresh(session), two)).rejects.toThrow('1 available');
    await expect(reserve(session, seats, { quantity: 2 })).rejects.toThrow('1 available');
    await claimResource(fresh(session), { ...seats, quantity: 1 });
    expect(await usage(session, seats)).toEqual([5, 2, 3]);
  });

  test('becomes claims when it is confirmed, with its metadata, once', async ({
    session,
    seats,
  }) => {
    const { id } = await reserve(session, seats, { quantity: 5, metadata: { order: 7 } });
    const { reservation, claims } = await confirmReservation(fresh(session), { id });
    expect(claims).toHaveLength(5);
    expect(claims[0]?.metadata).toEqual({ order: 7 });
    expect(reservation).toMatchObject({
      status: 'confirmed',
      claimIds: claims.map(({ id }) => id),
    });
    const again = await confirmReservation(fresh(session), { id });
    expect(again.claims.map(({ id }) => id).sort()).toEqual(claims.map(({ id }) => id).sort());
    expect(await usage(session, seats)).toEqual([5, 5, 0]);
    expect(await typesOf(session, id)).toEqual(['created', 'confirmed']);
    await expect(releaseReservation(fresh(session), { id })).rejects.toThrow('confirmed');
  });

  test('of names reserves those that have no claim, and gives each its claim', async ({
    session,
    seats,
  }) => {
    await claimResource(fresh(session), { ...seats, externalId: 'a' });
    const { id, quantity } = await reserve(session, seats, { externalIds: ['a', 'b', 'c', 'b'] });
    expect(quantity).toBe(2);
    await claimResource(fresh(session), { ...seats, externalId: 'b' });
    const { claims } = await confirmReservation(fresh(session), { id });
    expect(claims.map(({ externalId }) => externalId)).toEqual(['a', 'b', 'c']);
    expect(await usage(session, seats)).toEqual([5, 3, 0]);
  });

  test('is kept though capacity has been taken away since', async ({ session, seats }) => {
    const { id } = await reserve(session, seats, { quantity: 2 });
    const [feature] = await fresh(session).em.find(SubscriptionItemFeature, {
      subscriptionId: seats.subscriptionId,
    });
    const end = { id: feature?.id ?? '', expiredAt: at('2026-01-31') };
    await expireSubscriptionItemFeature(fresh(session), end);
    expect((await confirmReservation(fresh(session), { id })).claims).toHaveLength(2);
    expect(await usage(session, seats)).toEqual([0, 2, 0]);
  });

  test('that is released gives all back, once', async ({ session, seats }) => {
    const { id } = await reserve(session, seats, { quantity: 5 });
    expect(await releaseReservation(fresh(session), { id })).toMatchObject({ status: 'released' });
    expect(await releaseReservation(fresh(session), { id })).toMatchObject({ status: 'released' });
    await expect(confirmReservation(fresh(session), { id })).rejects.toThrow('it is released');
    expect(await usage(session, seats)).toEqual([5, 0, 0]);
    expect(await typesOf(session, id)).toEqual(['created', 'released']);
  });

  test('frees what it reserves at the instant, whether anybody notes that down or not', async ({
    session,
    seats,
    database,
  }) => {
    const { id } = await reserve(session, seats, { quantity: 5, ttlSeconds: 60 });
    // The clock shows a later time without any of what an advance does.
    const showing = (time: Date) =>
      database.orm.em
        .fork()
        .execute('update test_clock set frozen_time = ? where id = ?', [time, seats.clockId]);
    await showing(new Date('2026-01-31T10:00:59.999Z'));
    expect(await usage(session, seats)).toEqual([5, 0, 5]);
    await showing(new Date('2026-01-31T10:01:00Z'));
    expect(await usage(session, seats)).toEqual([5, 0, 0]);
    await expect(confirmReservation(fresh(session), { id })).rejects.toThrow('it is expired');
    await claimResource(fresh(session), { ...seats, quantity: 5 });
    await advance(session, seats.clockId, '2026-02-01');
    expect(await typesOf(session, id)).toEqual(['created', 'expired']);
    expect(await fresh(session).em.findOneOrFail(Reservation, id)).toMatchObject({
      status: 'expired',
      settledAt: new Date('2026-01-31T10:01:00Z'),
    });
  });

  test('ends with its subscription', async ({ session, seats }) => {
    const { id } = await reserve(session, seats, { quantity: 2, ttlSeconds: 86_400 });
    await cancelSubscription(fresh(session), {
      id: seats.subscriptionId,
      cancellation: { timing: 'immediately' },
    });
    await expect(confirmReservation(fresh(session), { id })).rejects.toThrow('it is released');
    expect(await activeClaims(session, seats)).toEqual([]);
    await expect(reserve(session, seats, { quantity: 1 })).rejects.toThrow('has ended');
  });

  test('of one and the same seat is given to one of many who ask at once', async ({
    session,
    seats,
  }) => {
    await claimResource(fresh(session), { ...seats, quantity: 3 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        n % 2
          ? reserve(session, seats, { quantity: 1 })
          : claimResource(fresh(session), { ...seats, quantity: 1 }),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const [, claimed = 0, reserved = 0] = await usage(session, seats);
    expect(claimed + reserved).toBe(5);
  });
});
