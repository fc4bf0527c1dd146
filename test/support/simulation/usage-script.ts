import fc from 'fast-check';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPaymentMethod, aUsagePrice, fresh } from '../factories.ts';
import { aMeteredSubscription, grant, voidEvent } from '../usage.ts';

const nth = fc.nat(30);
/** Thousandths, so that a model can sum them in whole numbers. */
const thousandths = fc.oneof(fc.integer({ min: 1, max: 60_000 }), fc.constantFrom(1, 10_000));

const use = fc.record({
  thousandths,
  dear: fc.boolean(),
  /** The delay of the report, in hours; null for none. */
  late: fc.option(fc.integer({ min: 0, max: 1_500 }), { freq: 3 }),
});

/** One action of a caller; an action that is impossible at the time is refused. */
export const usageAction = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      uses: fc.array(use, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      thousandths,
      hours: fc.option(fc.integer({ min: 1, max: 1_200 })),
      priority: fc.constantFrom(0, 50),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), nth, thousandths }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      nth,
      percent: fc.constantFrom(1, 50, 99, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('voidInvoice' as const, 'writeOffInvoice' as const, 'pay' as const),
      nth,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      token: fc.constantFrom('sandbox_success', 'sandbox_decline_insufficient_funds'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      hours: fc.integer({ min: 1, max: 900 }),
    }),
  },
);
export type UsageAction = typeof usageAction extends fc.Arbitrary<infer T> ? T : never;

/** The initial state of a tenant. */
export const usageSettings = fc.record({
  unitPrice: fc.integer({ min: 0, max: 500 }),
  usageEventsPerUnit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_000 })),
  credits: fc.option(fc.integer({ min: 1, max: 50 })),
  doNotCharge: fc.boolean(),
  rollover: fc.option(
    fc.record({
      periods: fc.integer({ min: 1, max: 3 }),
      limit: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
  ),
});
export type UsageSettings = typeof usageSettings extends fc.Arbitrary<infer T> ? T : never;

const hour = 3_600_000;
const text = (thousandths: number) =>
  `${Math.floor(thousandths / 1_000)}.${String(thousandths % 1_000).padStart(3, '0')}`;

/** A metered subscription, and its usage that counts according to the responses. */
export async function simulateUsage(session: Session, settings: UsageSettings, advances = 1) {
  const { credits, ...rest } = settings;
  const user = await aMeteredSubscription(session, { ...rest, ...(credits && { credits }) });
  const dear = await aUsagePrice(session, user.meterId);
  const clock = () => fresh(session).em.findOneOrFail(TestClock, user.clockId);
  /** The reported events, in the order of the script, without refused ones. */
  const reported: { id: string; event: object }[] = [];
  const counting = new Map<string, number>();
  let count = 0;

  return {
    user,
    /** The counted usage, in thousandths: an event for each transaction id, without voided ones. */
    used: () => [...counting.values()].reduce((sum, amount) => sum + amount, 0),
    execute: (action: UsageAction) => execute(action).catch(refusal),
    /** Advances until all usage that can be billed is billed. */
    async finish() {
      await advance(24 * 40);
      await advance(24 * 40);
    },
  };

  async function execute(action: UsageAction): Promise<unknown> {
    switch (action.do) {
      case 'use': {
        const now = (await clock()).frozenTime.getTime();
        const events = action.uses.map(({ thousandths, dear: isDear, late }) => ({
          subscriptionId: user.id,
          transactionId: `u${++count}`,
          amount: text(thousandths),
          ...(late !== null && { usageDate: new Date(now - late * hour) }),
          ...(isDear ? { priceId: dear.id } : { usageMeterSlug: user.slug }),
        }));
        const { events: recorded } = await record(events);
        for (const [place, { id }] of recorded.entries()) {
          reported.push({ id, event: events[place] as object });
          counting.set(id, action.uses[place]?.thousandths ?? 0);
        }
        return;
      }
      case 'repeat':
        return record([pick(reported, action.nth).event, pick(reported, action.nth + 1).event]);
      case 'grant': {
        const now = (await clock()).frozenTime.getTime();
        const expiresAt = action.hours !== null && new Date(now + action.hours * hour);
        const { priority } = action;
        const more = { priority, ...(expiresAt && { expiresAt }) };
        return grant(session, user, text(action.thousandths), more);
      }
      case 'void': {
        const { id } = pick(reported, action.nth);
        await voidEvent(session, id);
        counting.delete(id);
        return;
      }
      case 'replace': {
        const { id } = pick(reported, action.nth);
        const transactionId = `r${++count}`;
        const usageEvent = { amount: text(action.thousandths), transactionId };
        const input = { id, usageEvent, reason: 'A mistake' };
        const replacement: UsageEvent = await replaceUsageEvent(fresh(session), input);
        counting.delete(id);
        counting.set(replacement.id, action.thousandths);
        return;
      }
      case 'refund': {
        const payments = await fresh(session).em.find(
          Payment,
          { customerId: user.customerId, status: 'succeeded' },
          { orderBy: { chargeDate: 'asc', receiptNumber: 'asc' } },
        );
        const { id, amount } = pick(payments, action.nth);
        const partialAmount = Math.ceil((amount * action.percent) / 100);
        return refundPayment(fresh(session), { id, partialAmount });
      }
      case 'voidInvoice':
        return voidInvoice(fresh(session), { id: (await openInvoice(action.nth)).id });
      case 'writeOffInvoice':
        return markInvoiceUncollectible(fresh(session), { id: (await openInvoice(action.nth)).id });
      case 'pay':
        return payInvoice(fresh(session), { id: (await openInvoice(action.nth)).id });
      case 'card':
        return aPaymentMethod(session, user.customerId, { token: action.token, default: true });
      case 'cancel': {
        const cancellation = { timing: 'immediately' } as const;
        return cancelSubscription(fresh(session), { id: user.id, cancellation });
      }
      case 'advance':
        return advance(action.hours);
    }
  }

  async function openInvoice(nth: number) {
    const open = { subscription: user.id, status: 'open' } as const;
    const options = { orderBy: { invoiceNumber: 'asc' } } as const;
    return pick(await fresh(session).em.find(Invoice, open, options), nth);
  }

  function record(events: readonly object[]) {
    return recordUsageEvents(fresh(session), { usageEvents: events as never });
  }

  async function advance(hours: number) {
    const { frozenTime } = await clock();
    for (let advance = 1; advance <= advances; advance++) {
      const to = frozenTime.getTime() + Math.floor((hours * hour * advance) / advances);
      await advanceTestClock(fresh(session), { id: user.clockId, frozenTime: new Date(to) });
    }
  }
}

function pick<T>(all: readonly T[], nth: number): T {
  const one = all.at(all.length === 0 ? 0 : nth % all.length);
  if (one === undefined) throw new DomainError('NOT_FOUND', 'There is none');
  return one;
}

/** A refusal with a reason is expected; any other error is a failure. */
function refusal(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
}
