import { expect } from 'vitest';
import type { Life } from './actor.ts';
import { done } from './client.ts';
import { seats } from './model.ts';

const longestSeconds = 7_200;

/**
 * Whether a number of seats must be available, or must not be; undefined where that depends on reservations whose end
 * only the clock of the database knows.
 */
function isRoomFor({ model, clockId }: Life, quantity: number): boolean | undefined {
  const most = model.claimed + model.reserved(clockId !== undefined);
  if (most + quantity <= seats) return true;
  return clockId === undefined && model.claimed + quantity <= seats ? undefined : false;
}

/** Compares the refusal of units with the model. Returns whether they were granted. */
function isGranted(life: Life, quantity: number, refusal: string | undefined): boolean {
  if (life.model.status === 'paused') {
    expect(refusal).toBe('INVALID_STATE');
    return false;
  }
  const room = isRoomFor(life, quantity);
  const possible = room === false ? [] : [undefined];
  const { now, claimed, reservations } = life.model;
  const state = JSON.stringify({ quantity, now, claimed, reserved: [...reservations.values()] });
  const refusals = room === true ? [] : ['CAPACITY_EXCEEDED'];
  expect([...possible, ...refusals], state).toContain(refusal);
  return refusal === undefined;
}

export async function claim(life: Life) {
  const { ask, model, random, catalog, subscriptionId } = life;
  const quantity = random.whole(1, 3);
  const answer = await ask(
    `mutation($subscriptionId: ID!, $resourceSlug: String!, $quantity: SafeInt) {
      claimResource(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug, quantity: $quantity) {
        usage { capacity claimed reserved } } }`,
    { subscriptionId, resourceSlug: catalog.resourceSlug, quantity },
  );
  if (!isGranted(life, quantity, answer.refusal)) return;
  model.claimed += quantity;
  compareUsage(life, done(answer).claimResource.usage);
}

export async function release(life: Life) {
  const { ask, model, random, catalog, subscriptionId } = life;
  if (model.claimed === 0) return;
  const quantity = random.whole(1, model.claimed);
  const answer = await ask(
    `mutation($subscriptionId: ID!, $resourceSlug: String!, $quantity: SafeInt) {
      releaseResource(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug, quantity: $quantity) {
        usage { claimed } } }`,
    { subscriptionId, resourceSlug: catalog.resourceSlug, quantity },
  );
  model.claimed -= quantity;
  expect(done(answer).releaseResource.usage.claimed).toBe(model.claimed);
}

export async function reserve(life: Life) {
  const { ask, model, random, catalog, subscriptionId } = life;
  const quantity = random.whole(1, 3);
  const ttlSeconds = random.whole(1, longestSeconds);
  const answer = await ask(
    `mutation($subscriptionId: ID!, $resourceSlug: String!, $quantity: SafeInt, $ttlSeconds: Int) {
      reserveResource(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug, quantity: $quantity,
        ttlSeconds: $ttlSeconds) { reservation { id expiresAt } usage { capacity claimed reserved } } }`,
    { subscriptionId, resourceSlug: catalog.resourceSlug, quantity, ttlSeconds },
  );
  if (!isGranted(life, quantity, answer.refusal)) return;
  const { reservation, usage } = done(answer).reserveResource;
  model.reservations.set(reservation.id, { quantity, expiresAt: reservation.expiresAt });
  compareUsage(life, usage);
}

/** Turns a reservation into claims, also one that may have expired. */
export async function confirm(life: Life) {
  const { ask, model, random, clockId } = life;
  const ids = [...model.reservations.keys()];
  if (ids.length === 0 || model.status === 'paused') return;
  const id = random.one(ids);
  const { quantity, expiresAt } = model.reservations.get(id) as {
    quantity: number;
    expiresAt: number;
  };
  const answer = await ask(
    'mutation($id: ID!) { confirmReservation(id: $id) { reservation { status } } }',
    { id },
  );
  model.reservations.delete(id);
  const isExpired = clockId === undefined ? undefined : expiresAt <= model.now.getTime();
  const isRefused = answer.refusal !== undefined;
  if (isExpired !== undefined) expect(isRefused, answer.message).toBe(isExpired);
  if (isRefused) return expect(answer.message).toContain('it is expired');
  expect(done(answer).confirmReservation.reservation.status).toBe('confirmed');
  model.claimed += quantity;
}

interface Usage {
  readonly capacity: number;
  readonly claimed: number;
  readonly reserved: number;
}

function compareUsage({ model, clockId }: Life, usage: Usage) {
  const { reserved, ...known } = usage;
  expect(known).toEqual({ capacity: seats, claimed: model.claimed });
  const most = model.reserved(clockId !== undefined);
  if (clockId !== undefined) expect(reserved).toBe(most);
  expect(reserved).toBeLessThanOrEqual(Math.min(most, seats - usage.claimed));
}
