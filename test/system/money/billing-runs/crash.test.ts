import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { beginPayment } from '#domain/money/collection/begin-payment.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { executeBillingRun } from '#domain/money/collection/execute-billing-run.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { checkDuePayments } from '#domain/money/commands/payments/check-payments.ts';
import { prepareInvoice } from '#domain/money/outcomes/prepare-invoice.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { sandboxTokens } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { effort } from '../../../support/effort.ts';
import { aCustomer, aPaymentMethod, aProduct, aSubscription } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { spawnProgram } from '../../../support/process.ts';
import { aChargeRequest } from '../../../support/processor.ts';
import { seeded } from '../../../support/seeded.ts';
import { systemTest as test } from '../../../support/test.ts';

const seconds = 1_000;
const hours = 3_600 * seconds;
const days = 24 * hours;

/** How far a process gets before it is killed. */
const boundaries = ['invoice', 'attempt', 'charge', 'outcome', 'all'] as const;

const seeds = fc.record({
  token: fc.constantFrom(...sandboxTokens),
  backup: fc.option(fc.constantFrom(...sandboxTokens)),
  /** Whether the subscription has been paid for before. */
  renews: fc.boolean(),
  kills: fc.array(fc.constantFrom(...boundaries), { maxLength: 3 }),
});
type Seed = typeof seeds extends fc.Arbitrary<infer T> ? T : never;

/** Scripts in which each token meets each first kill, and none, equally often; the rest is random. */
function scriptsOf(count: number): Seed[] {
  const firsts = [...boundaries.map((boundary) => [boundary]), []];
  const numRuns = effort * count;
  return fc.sample(seeds, seeded('crash.test.ts', { numRuns })).map((script, place) => {
    const token = sandboxTokens[place % sandboxTokens.length] ?? script.token;
    const first = firsts[Math.floor(place / sandboxTokens.length) % firsts.length] ?? [];
    return { ...script, token, kills: first.length > 0 ? [...first, ...script.kills] : first };
  });
}

describe('a billing run that is stopped anywhere, however often', () => {
  test('is finished by the jobs with one charge at most, and all records of money agree', async ({
    session,
  }) => {
    const scripts = scriptsOf(96);
    const start = new Date(session.now.getTime() + 40 * days);
    const runs = await dueRuns(session, scripts, start);
    await inParallel(runs, async ([id, { kills }]) => {
      for (const [place, boundary] of kills.entries()) {
        await killedAt(boundary, at(session, start, place * 61 * seconds), id);
      }
    });
    await finish(session, start);
    await expectMoneyToAgree(session);
    const money = await moneyOf(session);
    expect(money.payments).toBe(money.charges);
    await expectNothingOpen(session);
    await expectChargesOf(session);
  }, 600_000);

  test('is finished when processes that execute batches are killed at any statements', async ({
    session,
    database,
  }) => {
    const start = new Date(session.now.getTime() + 40 * days);
    await dueRuns(session, scriptsOf(18), start);
    const deaths = fc.record({
      place: fc.integer({ min: 0, max: 120 }),
      moment: fc.constantFrom('before', 'after'),
    });
    const killed = fc.sample(deaths, seeded('crash.test.ts batches', { numRuns: 6 * effort }));
    let kills = 0;
    for (const [place, death] of killed.entries()) {
      const now = at(session, start, place * 61 * seconds).now.toISOString();
      const args = [database.databaseUrl, now, String(death.place), death.moment];
      // One that has no run left ends by itself.
      const ended = await spawnProgram(
        ['test/support/servers/mortal-sweep.ts', ...args],
        {},
      ).ended();
      expect([null, 0], ended.stderr).toContain(ended.code);
      kills += ended.code === null ? 1 : 0;
    }
    expect(kills).toBeGreaterThan(1);
    await finish(session, start);
    await expectMoneyToAgree(session);
    const money = await moneyOf(session);
    expect(money.payments).toBe(money.charges);
    await expectNothingOpen(session);
    await expectChargesOf(session);
  }, 600_000);

  test('is executed once when several processes are at it at the same time', async ({
    session,
  }) => {
    const scripts = scriptsOf(24);
    const start = new Date(session.now.getTime() + 40 * days);
    const runs = await dueRuns(session, scripts, start);
    await inParallel(runs, async ([id]) => {
      const processes = [0, 1, 2].map((place) => at(session, start, place));
      await Promise.all(processes.map((one) => executeBillingRun(one, id)));
    });
    await expectMoneyToAgree(session);
    await finish(session, start, 2);
    await expectMoneyToAgree(session);
    await expectNothingOpen(session);
    await expectChargesOf(session);
  });
});

/** Subscriptions with one run each that is due at an instant, and what is to happen to it. */
async function dueRuns(session: Session, scripts: readonly Seed[], start: Date) {
  const product = await aProduct(session, { price: { unitPrice: 1_000 } });
  const priceId = (await product.prices.loadItems())[0]?.id ?? null;
  const bySubscription = new Map<string, Seed>();
  await inParallel(scripts, async (script) => {
    const { id: customerId } = await aCustomer(session);
    const method = await aPaymentMethod(session, customerId, { token: 'sandbox_success' });
    const backup =
      script.backup && (await aPaymentMethod(session, customerId, { token: script.backup }));
    const { id } = await aSubscription(session, {
      customerId,
      priceId,
      defaultPaymentMethodId: method.id,
      backupPaymentMethodId: backup?.id ?? null,
      startDate: script.renews ? null : start,
    });
    const later = at(session, session.now).em;
    (await later.findOneOrFail(PaymentMethod, method.id)).token = script.token;
    await later.flush();
    bySubscription.set(id, script);
  });
  await transitionDueSubscriptions(session.em, start, 'test');
  const runs = await at(session, start).em.find(BillingRun, { status: 'scheduled' });
  expect(runs).toHaveLength(scripts.length);
  return runs.map(
    ({ id, subscriptionId }) => [id, bySubscription.get(subscriptionId) as Seed] as const,
  );
}

/** Takes a run as far as a process gets that is killed there. */
async function killedAt(boundary: (typeof boundaries)[number], session: Session, id: string) {
  const step = () => at(session, session.now);
  if (boundary === 'invoice') await prepareInvoice(step(), id);
  if (boundary === 'invoice') return;
  const first = await beginPayment(step(), id);
  const begun = first === 'prepared' ? await beginPayment(step(), id) : first;
  if (!begun || begun === 'prepared' || boundary === 'attempt') return;
  if (boundary === 'all') return chargePayment(step(), begun);
  const { em } = step();
  const payment = await em.findOneOrFail(Payment, begun.paymentId, { populate: ['method'] });
  const method = payment.method?.unwrap() as PaymentMethod;
  const { idempotencyKey, amount, currency } = payment;
  const request = aChargeRequest(session, {
    idempotencyKey,
    amount,
    currency,
    paymentMethodId: method.id,
    token: method.token,
  });
  const outcome = await (await processorOf(session)).charge(step(), request).catch(() => undefined);
  // The backup's turn, where it comes, is not executed any more.
  if (outcome && boundary === 'outcome') await settlePayment(step(), begun.paymentId, outcome);
}

/** The scheduled jobs, until the last retry has its final status; as by so many processes at once. */
async function finish({ em }: Session, start: Date, processes = 1) {
  // A processor that cannot be reached is reported, and asked again later.
  const failed = (error: unknown) => {
    if (!String(error).includes('could not be reached')) throw error;
  };
  for (const day of [0, 3, 4, 8, 9, 13, 14, 15]) {
    for (const hour of [0.1, 0.2, 1.2, 1.3, 3, 6.5, 8, 14, 21]) {
      const now = new Date(start.getTime() + day * days + hour * hours);
      const jobs = () => [
        executeDueRuns(em, now, 'test', failed),
        checkDuePayments(em, now, 'test', failed),
      ];
      await Promise.all(Array.from({ length: processes }, jobs).flat());
    }
  }
}

async function expectNothingOpen(session: Session) {
  const { em } = at(session, session.now);
  const unfinished = ['scheduled', 'started', 'awaiting_payment_confirmation'] as const;
  expect(await em.find(BillingRun, { status: { $in: [...unfinished] } })).toEqual([]);
}

/** Exactly one successful charge for a run that has succeeded, none for any other. */
async function expectChargesOf({ em, pricingModelId }: Session) {
  const wrong = await em.execute(
    `select r.id, r.status, count(c.*) as charges from billing_run r
     left join payment p on p.billing_run_id = r.id
     left join sandbox_charge c on c.idempotency_key = p.idempotency_key and c.status = 'succeeded'
     where r.pricing_model_id = ? group by r.id
     having count(c.*) <> case r.status when 'succeeded' then 1 else 0 end`,
    [pricingModelId],
  );
  expect(wrong).toEqual([]);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
