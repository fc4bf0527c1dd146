// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { resourceUsages } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aCatalog, aSubscriber, type Subscriber, seated } from '../../../support/plans.ts';
import { activeClaims } from '../../../support/seats.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';

type Names = readonly (string | null)[];
type When = 'now' | 'at the end';

/** The expected claims, oldest first: the client (null is none in particular), and whether the claim is temporary. */
class Model {
  claims: { name: string | null; temporary: boolean }[] = [];
  capacity = 5;
  /** The capacity after the end of the period; 0 for none. */
  next: number | null = null;
  ended = false;

  claim(names: Names) {
    const missing = [...new Set(names.filter((name) => name !== null))].filter(
      (name) => !this.has(name),
    );
    const made = [...names.filter((name) => name === null), ...missing];
    const isMore = made.length > 0 && this.claims.length + made.length > this.capacity;
    if (this.ended || isMore) return true;
    for (const name of made) {
      const lasting = this.claims.filter(({ temporary }) => !temporary).length;
      this.claims.push({ name, temporary: this.next !== null && lasting >= this.next });
    }
    return false;
  }

  release(names: Names) {
    const anonymous = this.claims.filter(({ name }) => name === null).length;
    const known = names.every((name) => name === null || this.has(name));
    if (!known || names.filter((name) => name === null).length > anonymous) return true;
    for (const name of new Set(names.filter((name) => name !== null))) this.drop(name);
    for (const _ of names.filter((name) => name === null)) this.drop(null);
    return false;
  }

  adjust(capacity: number, when: When) {
    if (this.ended || this.claims.length > capacity) return true;
    // Items change until a scheduled end, and not with it.
    if (this.next !== null && when !== 'now') return true;
    if (when === 'now') this.capacity = capacity;
    else this.next = capacity;
    return false;
  }

  voidEvent() {
    this.next = null;
    for (const claim of this.claims) claim.temporary = false;
  }

  month() {
    if (this.next === 0) this.end();
    if (this.next !== null) this.capacity = this.next;
    this.next = null;
    this.claims = this.claims.filter(({ temporary }) => !temporary);
  }

  end() {
    Object.assign(this, { claims: [], ended: true, next: null, capacity: 0 });
  }

  private has = (name: string) => this.claims.some((claim) => claim.name === name);
  private drop = (name: string | null) =>
    this.claims.splice(
      this.claims.findIndex((claim) => claim.name === name),
      1,
    );
}

type Step =
  | { do: 'claim' | 'release'; names: Names }
  | { do: 'adjust'; seats: 2 | 4 | 6; when: When; keepsItem: boolean }
  | { do: 'schedule' | 'revert' | 'cancel' | 'month' };

const names = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }),
  fc.array(fc.constant(null), { minLength: 1, maxLength: 4 }),
);
const adjustment = {
  do: fc.constant('adjust'),
  seats: fc.constantFrom(2, 4, 6),
  when: fc.constantFrom('now', 'at the end'),
  keepsItem: fc.boolean(),
};
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('claim', 'release'), names }) },
  { weight: 3, arbitrary: fc.record(adjustment) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('schedule', 'revert', 'month') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
) as fc.Arbitrary<Step>;

const atEnd = 'at_end_of_current_billing_period' as const;

/** Carries a step out on both; `plans` are those of 2, 4 and 6 seats, which cost the same. */
async function execute(
  it: Subscriber,
  plans: ReadonlyMap<number, { priceId: string }>,
  model: Model,
  step: Step,
  months: number,
) {
  const seats = { subscriptionId: it.id, resourceSlug: it.catalog.resource.slug };
  const { id } = it;
  if (step.do === 'claim' || step.do === 'release') {
    const named = step.names.filter((name) => name !== null);
    const asked = named.length ? { externalIds: named } : { quantity: step.names.length };
    const refused = model[step.do](step.names);
    const call = step.do === 'claim' ? claimResource : releaseResource;
    const attempt = call(it.fresh(), { ...seats, ...asked });
    await (refused ? expect(attempt).rejects.toThrow() : attempt);
  } else if (step.do === 'adjust') {
    // Properties of schedules try a change that meets another one.
    if (model.next) return;
    const refused = model.adjust(step.seats, step.when);
    const item = (await it.items()).find(({ expiredAt }) => expiredAt === null);
    const { priceId } = plans.get(step.seats) as { priceId: string };
    const timing = step.when === 'now' ? 'immediately' : atEnd;
    const attempt = it.adjust([{ ...(step.keepsItem && { id: item?.id }), priceId }], { timing });
    await (refused ? expect(attempt).rejects.toThrow() : attempt);
  } else if (step.do === 'schedule' || step.do === 'cancel') {
    if (model.next) return;
    const timing = step.do === 'cancel' ? 'immediately' : atEnd;
    await cancelSubscription(it.fresh(), { id, cancellation: { timing } });
    if (!model.ended) model.next = 0;
    if (step.do === 'cancel') model.end();
  } else if (step.do === 'revert') {
    if (model.next === 0) await uncancelSubscription(it.fresh(), { id });
    else if (model.next !== null) await it.cancelScheduled();
    model.voidEvent();
  } else {
    await it.toDay(30 * months - 1);
    model.month();
  }
}

test('whatever is claimed, released, adjusted, canceled and awaited, it equals the model', async ({
  session,
}) => {
  const catalog = await aCatalog(session);
  const five = await seated(session, catalog, 5);
  const plans = new Map<number, { priceId: string }>();
  for (const seats of [2, 4, 6]) plans.set(seats, await seated(session, catalog, seats));
  const sequence = fc.array(step, { minLength: 5, maxLength: 20 });
  const property = fc.asyncProperty(sequence, async (steps) => {
    const it = await aSubscriber(session, catalog, [five]);
    const model = new Model();
    let months = 1;
    for (const step of steps) {
      if (step.do === 'month') months += 1;
      await execute(it, plans, model, step, months);
      const now = months === 1 ? it.day(0) : it.day(30 * months - 1);
      const active = (await activeClaims(session, { subscriptionId: it.id }, now)).map(
        ({ externalId, expiredAt }) => `${externalId} ${expiredAt != null}`,
      );
      expect(active.sort()).toEqual(
        model.claims.map(({ name, temporary }) => `${name} ${temporary}`).sort(),
      );
      const usages = await resourceUsages(it.fresh(), { subscriptionId: it.id });
      const { capacity, claims } = model;
      expect(usages).toMatchObject([{ claimed: claims.length, capacity }]);
    }
  });
  await tried('claims.property.test.ts', property, { cases: 12, milliseconds: 5_000 });
});
