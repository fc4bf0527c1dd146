import fc from 'fast-check';
import { expect } from 'vitest';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { intervalUnits, Price } from '#domain/model/catalog/price.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aProduct,
  aSubscription,
  aTestClock,
} from '../../../support/factories.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { at, fresh, subscriptionsOf } from '../../../support/timeline.ts';
import { expectSound, stateOf } from './lifecycle-state.ts';

const dayMilliseconds = 86_400_000;

const who = fc.constantFrom('one', 'two');

const subscribe = fc.record({
  step: fc.constant('subscribe' as const),
  who,
  // Of days and weeks several at a time, so that a script does not cross hundreds of boundaries.
  interval: fc
    .tuple(fc.constantFrom(...intervalUnits), fc.integer({ min: 1, max: 3 }))
    .map(([unit, count]) => [unit, unit === 'day' ? 8 + count : count] as const),
  trialDays: fc.option(fc.integer({ min: 1, max: 45 })),
  startsInDays: fc.option(fc.integer({ min: 0, max: 20 }), { freq: 4 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  doNotCharge: fc.boolean(),
  anchorDayOfMonth: fc.option(fc.integer({ min: 1, max: 31 }), { freq: 2 }),
  periodCount: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
});
const cancel = fc.record({
  step: fc.constant('cancel' as const),
  who,
  timing: fc.constantFrom(...endTimings),
});
const uncancel = fc.record({ step: fc.constant('uncancel' as const), who });
const pay = fc.record({ step: fc.constant('pay' as const), who });
const detach = fc.record({ step: fc.constant('detach' as const), who });
const advance = fc.record({
  step: fc.constant('advance' as const),
  days: fc.integer({ min: 0, max: 75 }),
  milliseconds: fc.constantFrom(-1, 0, 0, 1),
  /** Where the other tenant stops on the way, as parts of it. */
  stops: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
});

const step = fc.oneof(
  { weight: 4, arbitrary: subscribe },
  { weight: 5, arbitrary: advance },
  { weight: 2, arbitrary: cancel },
  { weight: 1, arbitrary: uncancel },
  { weight: 2, arbitrary: pay },
  { weight: 1, arbitrary: detach },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Carries a script out on a clock of its own, step by step. */
class Life {
  readonly #ids: Record<string, string> = {};
  #clockId = '';
  #priceId = '';
  readonly session: Session;
  readonly #inManySteps: boolean;

  constructor(session: Session, inManySteps: boolean) {
    this.session = session;
    this.#inManySteps = inManySteps;
  }

  async begin(from: Date) {
    this.#clockId = (await aTestClock(this.session, from)).id;
    const product = await aProduct(this.session);
    const { em } = fresh(this.session);
    this.#priceId = (await em.findOneOrFail(Price, { product: product.id })).id;
    for (const externalId of ['one', 'two']) {
      const customer = { externalId, testClockId: this.#clockId };
      this.#ids[externalId] = (await aCustomer(this.session, customer)).id;
    }
  }

  /** Answers the code of the refusal, if it was one. */
  async take(step: Step): Promise<string> {
    try {
      await this.#do(step);
      return 'done';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  async #do(step: Step): Promise<unknown> {
    if (step.step === 'advance') return this.#advance(step);
    const customerId = this.#ids[step.who] ?? '';
    if (step.step === 'pay') return aPaymentMethod(this.session, customerId, { default: true });
    const session = fresh(this.session);
    if (step.step === 'detach') {
      const paying = { customer: customerId, default: true };
      const method = await session.em.findOne(PaymentMethod, paying);
      return method && detachPaymentMethod(fresh(session), { id: method.id });
    }
    if (step.step === 'subscribe') return this.#subscribe(customerId, step);
    const id = (await standingOf(session, customerId))[0]?.id;
    if (!id) return undefined;
    return step.step === 'uncancel'
      ? uncancelSubscription(session, { id })
      : cancelSubscription(session, { id, cancellation: { timing: step.timing } });
  }

  async #subscribe(customerId: string, step: Extract<Step, { step: 'subscribe' }>) {
    const start = (await this.#now()) + (step.startsInDays ?? 0) * dayMilliseconds;
    const { trialDays, quantity, doNotCharge, periodCount } = step;
    const [interval, intervalCount] = step.interval;
    const anchorDayOfMonth =
      interval === 'month' || interval === 'year' ? step.anchorDayOfMonth : null;
    return aSubscription(this.session, {
      ...{ customerId, priceId: this.#priceId, quantity, doNotCharge, interval, intervalCount },
      ...{ anchorDayOfMonth, periodCount },
      ...(step.startsInDays !== null && { startDate: new Date(start) }),
      ...(trialDays !== null && { trialEnd: new Date(start + trialDays * dayMilliseconds) }),
    });
  }

  async #advance({ days, milliseconds, stops }: Extract<Step, { step: 'advance' }>) {
    const now = await this.#now();
    const distance = Math.max(0, days * dayMilliseconds + milliseconds);
    const parts = this.#inManySteps ? stops.toSorted((a, b) => a - b) : [];
    for (const part of [...parts, 1]) {
      const frozenTime = new Date(now + Math.round(distance * part));
      await advanceTestClock(fresh(this.session), { id: this.#clockId, frozenTime });
    }
  }

  async #now() {
    const clock = await fresh(this.session).em.findOneOrFail(TestClock, this.#clockId);
    return clock.frozenTime.getTime();
  }
}

/** The subscriptions that have not ended, the current one first, in the same order for both tenants. */
async function standingOf(session: Session, customerId: string) {
  const key = ({ current, name, startDate, interval, trialEnd }: Subscription) =>
    JSON.stringify([!current, name, startDate, interval, trialEnd]);
  const standing = (await subscriptionsOf(session, customerId)).filter((one) => !one.isTerminal);
  return standing.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

test('however customers subscribe, cancel, pay and let time pass, all stays sound, and the steps in which time passes make no difference', async ({
  database,
}) => {
  const scripts = fc.array(step, { minLength: 3, maxLength: 10 });
  const from = fc.constantFrom('2023-12-31', '2024-01-31', '2024-02-29', '2026-01-15').map(at);
  await tried(
    'lifecycle.property.test.ts',
    fc.asyncProperty(from, scripts, async (from, script) => {
      const { em } = database.orm;
      const lives = [
        new Life((await aTenant(em)).session, false),
        new Life((await aTenant(em)).session, true),
      ] as const;
      await Promise.all(lives.map((life) => life.begin(from)));
      for (const step of script) {
        const [one, other] = await Promise.all(lives.map((life) => life.take(step)));
        expect(other, step.step).toBe(one);
        const arrived = step.step === 'advance';
        await Promise.all(lives.map(({ session }) => expectSound(session, arrived)));
      }
      const [whole, split] = await Promise.all(lives.map(({ session }) => stateOf(session)));
      expect(split).toEqual(whole);
    }),
    { cases: 4, milliseconds: 4_000 },
  );
});
