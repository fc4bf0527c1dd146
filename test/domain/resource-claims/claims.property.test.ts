import fc from 'fast-check';
import { expect } from 'vitest';
import { claimResource } from '#domain/resource-claims/claim-resource.ts';
import { resourceUsages } from '#domain/resource-claims/read-resource-usage.ts';
import { releaseResource } from '#domain/resource-claims/release-resource.ts';
import type { Session } from '#domain/session.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/uncancel-subscription.ts';
import { activeClaims, aSubscriptionWithSeats, type Seats } from '../../support/seats.ts';
import { test } from '../../support/test.ts';
import { advance, fresh } from '../../support/timeline.ts';

const capacity = 5;
const seed = Date.now() % 2 ** 31;

/** What there is to be: who has a claim (null is nobody in particular), and whether it is temporary. */
class Model {
  claims: { name: string | null; temporary: boolean }[] = [];
  scheduled = false;
  ended = false;

  claim(names: (string | null)[]) {
    const missing = [...new Set(names.filter((name) => name !== null))].filter(
      (name) => !this.has(name),
    );
    const made = [...names.filter((name) => name === null), ...missing];
    if (this.ended || this.claims.length + made.length > capacity)
      return this.ended || made.length > 0;
    this.claims.push(...made.map((name) => ({ name, temporary: this.scheduled })));
    return false;
  }

  release(names: (string | null)[]) {
    const anonymous = this.claims.filter(({ name }) => name === null).length;
    const known = names.every((name) => name === null || this.has(name));
    if (!known || names.filter((name) => name === null).length > anonymous) return true;
    for (const name of new Set(names.filter((name) => name !== null))) this.drop(name);
    for (const _ of names.filter((name) => name === null)) this.drop(null);
    return false;
  }

  end() {
    Object.assign(this, { claims: [], ended: true, scheduled: false });
  }

  private has = (name: string) => this.claims.some((claim) => claim.name === name);
  private drop = (name: string | null) =>
    this.claims.splice(
      this.claims.findIndex((claim) => claim.name === name),
      1,
    );
}

type Step =
  | { do: 'claim' | 'release'; names: (string | null)[] }
  | { do: 'schedule' | 'uncancel' | 'cancel' | 'month' };

const names = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }),
  fc.array(fc.constant(null), { minLength: 1, maxLength: 4 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('claim', 'release'), names }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('schedule', 'uncancel', 'month') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
) as fc.Arbitrary<Step>;

/** Carries a step out on both. */
async function carryOut(session: Session, seats: Seats, model: Model, step: Step, month: number) {
  const id = seats.subscriptionId;
  const cancel = (timing: 'immediately' | 'at_end_of_current_billing_period') =>
    cancelSubscription(fresh(session), { id, cancellation: { timing } });
  if (step.do === 'claim' || step.do === 'release') {
    const named = step.names.filter((name) => name !== null);
    const input = {
      ...seats,
      ...(named.length ? { externalIds: named } : { quantity: step.names.length }),
    };
    const refused = model[step.do](step.names);
    const attempt =
      step.do === 'claim'
        ? claimResource(fresh(session), input)
        : releaseResource(fresh(session), input);
    await (refused ? expect(attempt).rejects.toThrow() : attempt);
  } else if (step.do === 'schedule') {
    await cancel('at_end_of_current_billing_period');
    model.scheduled = !model.ended;
  } else if (step.do === 'uncancel') {
    await uncancelSubscription(fresh(session), { id });
    model.scheduled = false;
    for (const claim of model.claims) claim.temporary = false;
  } else if (step.do === 'cancel') {
    await cancel('immediately');
    model.end();
  } else {
    const day = new Date(Date.UTC(2026, month, 15, 10)).toISOString().slice(0, 10);
    await advance(session, seats.clockId, day);
    if (model.scheduled) model.end();
  }
}

test(`whatever is claimed, released, canceled and awaited, it stands as the model says (seed ${seed})`, async ({
  session,
}) => {
  const sequence = fc.array(step, { minLength: 5, maxLength: 20 });
  const property = fc.asyncProperty(sequence, async (steps) => {
    const seats = await aSubscriptionWithSeats(session, { seats: capacity });
    const model = new Model();
    let month = 1;
    for (const step of steps) {
      await carryOut(session, seats, model, step, step.do === 'month' ? ++month : month);
      const now = new Date(Date.UTC(2026, month, 15, 10));
      const held = (await activeClaims(session, seats, month === 1 ? undefined : now)).map(
        ({ externalId, expiredAt }) => `${externalId} ${expiredAt != null}`,
      );
      expect(held.sort()).toEqual(
        model.claims.map(({ name, temporary }) => `${name} ${temporary}`).sort(),
      );
      const [usage] = await resourceUsages(fresh(session), seats);
      expect(usage).toMatchObject({
        claimed: model.claims.length,
        capacity: model.ended ? 0 : capacity,
      });
    }
  });
  await fc.assert(property, { seed, numRuns: 12 });
});
