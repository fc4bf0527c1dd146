import type { EntityManager } from '@mikro-orm/postgresql';
import { expect } from 'vitest';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { checkSetups } from '#domain/money/commands/payment-methods/check-setups.ts';
import { createPaymentMethodSetup } from '#domain/money/commands/payment-methods/create-payment-method-setup.ts';
import { detachAtProcessors } from '#domain/money/commands/payment-methods/detach-at-processors.ts';
import { checkDuePayments } from '#domain/money/commands/payments/check-payments.ts';
import { resumeRefunds } from '#domain/money/commands/payments/resume-refunds.ts';
import { connectProcessor } from '#domain/money/commands/processors/connect-processor.ts';
import { processNotices } from '#domain/money/commands/processors/process-notices.ts';
import { reconcileProcessors } from '#domain/money/commands/processors/reconcile-processors.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { randomOf } from '../random.ts';
import type { TestMethodName } from './cards.ts';
import { completeSession } from './checkout.ts';
import { deliver } from './deliver.ts';
import { type FakeStripe, fakeKeys } from './fake-stripe.ts';

const hour = 3_600_000;
const secret = 'whsec_fakeFakeFake';

/** A business in live mode whose time, jobs and events a test drives. */
export class Shop {
  now = Date.now();
  readonly failures: unknown[] = [];
  readonly em: EntityManager;
  readonly fake: FakeStripe;
  readonly scope: Session;
  readonly random: () => number;
  readonly fetch: never;
  #delivered = 0;

  constructor(scope: Session, fake: FakeStripe, fetch: unknown, seed: number) {
    this.em = scope.em;
    this.scope = scope;
    this.fake = fake;
    this.fetch = fetch as never;
    this.random = randomOf(seed).next;
    fake.live.now = () => this.now;
  }

  get session(): Session {
    const { em, apiKeyId, cause: _, clock: __, ...scope } = this.scope;
    const onFailure = (error: unknown) => void this.failures.push(error);
    return openSession(em, { ...scope, now: new Date(this.now), onFailure }, apiKeyId);
  }

  /** Delivers most events, in any order, some of them twice. */
  async deliverEvents() {
    const all = this.fake.live.all('evt').slice(this.#delivered);
    this.#delivered += all.length;
    const kept = all.filter(() => this.random() < 0.7);
    const sent = kept.flatMap((event) => (this.random() < 0.3 ? [event, event] : [event]));
    for (const event of sent.toSorted(() => this.random() - 0.5)) {
      const status = await deliver(this.fetch, this.scope.organizationId, event, { secret });
      expect(status).toBe(200);
    }
  }

  /** One round of all jobs at the present. */
  async round() {
    const at = () => [this.em.fork(), new Date(this.now), 'test'] as const;
    const onFailure = (error: unknown) => void this.failures.push(error);
    await transitionDueSubscriptions(...at());
    await executeDueRuns(...at(), onFailure);
    await this.deliverEvents();
    await processNotices(...at(), onFailure);
    await checkDuePayments(...at(), onFailure);
    await checkSetups(...at(), onFailure);
    await detachAtProcessors(...at(), onFailure);
    await resumeRefunds(...at(), onFailure);
    await reconcileProcessors(...at(), onFailure);
  }

  /** Rounds of jobs over some hours, so that all that was lost is found again. */
  async settle(rounds = 5) {
    for (let round = 0; round < rounds; round++) {
      await this.round();
      this.now += 2 * hour;
    }
  }

  /** Connects the organization to the account of a key. */
  connect(secretKey: string = fakeKeys.live) {
    return connectProcessor(this.session, { kind: 'stripe', secretKey, webhookSecret: secret });
  }

  async setUp(customerId: string, card: TestMethodName) {
    const page = await again(() =>
      createPaymentMethodSetup(this.session, {
        paymentMethodSetup: {
          customerId,
          returnUrl: 'https://shop.example/back',
          cancelUrl: 'https://shop.example/',
        },
      }),
    );
    completeSession(this.fake.live, page.processorReference ?? '', card);
    await this.settle(3);
  }

  payments() {
    return this.session.em.find(Payment, {}, { orderBy: { position: 'asc' } });
  }
}

/** Repeats a request that a fault has hit. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 10; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
