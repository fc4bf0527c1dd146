import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { setDefaultPaymentMethod } from '#domain/money/commands/payment-methods/default-payment-method.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { nowOfSubscription } from '#domain/platform/reads/read-customer.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { setCommitment } from '#domain/subscriptions/commands/subscriptions/set-commitment.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aDraft, aPaymentMethod, aSubscription } from '../factories.ts';
import { settleDisputeOf } from '../records/disputes.ts';
import { use, voidEvent } from '../usage.ts';
import type { Deed } from './money-actions.ts';
import {
  chargesOf,
  invoicesOf,
  openInvoicesOf,
  paymentsOf,
  receiptsOf,
  unpaidInvoicesOf,
} from './money-records.ts';

/** A customer of the simulation of money. */
export interface Person {
  readonly customerId: string;
  /** The price that it subscribes to, and one in a currency that it cannot pay. */
  readonly priceId: string;
  readonly foreignId: string;
  readonly meterSlug: string | undefined;
  readonly subscription: Omit<Partial<Parameters<typeof aSubscription>[1]>, 'customerId'>;
  readonly methods: string[];
  readonly subscriptions: string[];
  readonly events: string[];
}

export async function subscribe(session: Session, person: Person, priceId = person.priceId) {
  const { customerId, subscription } = person;
  const { id } = await aSubscription(session, { customerId, priceId, ...subscription });
  person.subscriptions.push(id);
}

export async function addMethod(
  session: Session,
  { customerId, methods }: Person,
  token: string,
  isDefault = false,
) {
  const { id } = await aPaymentMethod(session, customerId, { token, default: isDefault });
  methods.push(id);
  return id;
}

const share = (amount: number, percent: number) =>
  Math.max(1, Number((BigInt(amount) * BigInt(percent) + 99n) / 100n));

/** Does one thing with a customer and its money. `fresh` opens a session at the present. */
export async function act(fresh: () => Session, person: Person, deed: Deed): Promise<unknown> {
  const { customerId, methods, subscriptions, events } = person;
  switch (deed.do) {
    case 'add':
      return addMethod(fresh(), person, deed.token, deed.default);
    case 'refund': {
      const { id, amount } = pick(await paymentsOf(fresh(), customerId), deed.nth);
      return refundPayment(fresh(), { id, partialAmount: share(amount, deed.percent) });
    }
    case 'pay': {
      const { id } = pick(await openInvoicesOf(fresh(), customerId), deed.nth);
      return payInvoice(fresh(), { id, paymentMethodId: pick(methods, deed.method) });
    }
    case 'credit':
      return credit(fresh, customerId, deed);
    case 'record': {
      const { id, total } = pick(await unpaidInvoicesOf(fresh(), customerId), deed.nth);
      const { method, percent } = deed;
      return recordPayment(fresh(), { invoiceId: id, amount: share(total, percent), method });
    }
    case 'receive': {
      const { amountOwed } = await fresh().em.findOneOrFail(Customer, customerId);
      const amount = share(amountOwed, deed.percent);
      return recordPayment(fresh(), { customerId, amount, method: 'bank_transfer' });
    }
    case 'divide': {
      const invoices = await openInvoicesOf(fresh(), customerId);
      const part = Math.min(100, deed.percent);
      const allocations = invoices.map(({ id, total }) => ({
        invoiceId: id,
        amount: share(total, part),
      }));
      const all = allocations.reduce((sum, { amount }) => sum + amount, 0);
      const amount = all + (deed.percent - part);
      if (all === 0) return undefined;
      return recordPayment(fresh(), { allocations, amount, method: 'check' });
    }
    case 'reverse': {
      const { id } = pick(await receiptsOf(fresh(), customerId), deed.nth);
      return reversePayment(fresh(), { id, reason: 'Bounced' });
    }
    case 'dispute': {
      const payment = pick(await chargesOf(fresh(), customerId), deed.nth);
      const withdrawnAmount = deed.status === 'won' ? 0 : share(payment.amount, deed.percent);
      return settleDisputeOf(fresh(), payment.id, { status: deed.status, withdrawnAmount });
    }
    case 'bill': {
      const { amount: price, quantity } = deed;
      const { id } = await aDraft(fresh(), { customerId, lines: [{ quantity, price }] });
      return finalizeInvoice(fresh(), { id });
    }
    case 'giveUp': {
      const { id } = pick(await openInvoicesOf(fresh(), customerId), deed.nth);
      return markInvoiceUncollectible(fresh(), { id });
    }
    case 'void': {
      const { id } = pick(await unpaidInvoicesOf(fresh(), customerId), deed.nth);
      return voidInvoice(fresh(), { id });
    }
    case 'default':
      return setDefaultPaymentMethod(fresh(), { id: pick(methods, deed.method) });
    case 'detach':
      return detachPaymentMethod(fresh(), { id: pick(methods, deed.method) });
    case 'cancel':
      return cancelWithCredit(fresh, pick(subscriptions, -1), deed);
    case 'cancelLater':
      return cancelSubscription(fresh(), {
        id: pick(subscriptions, -1),
        cancellation: { timing: 'at_end_of_current_billing_period' },
      });
    case 'uncancel':
      return uncancelSubscription(fresh(), { id: pick(subscriptions, -1) });
    case 'pause': {
      const { timing, billing } = deed;
      return pauseSubscription(fresh(), {
        id: pick(subscriptions, -1),
        pause: { timing, billing },
      });
    }
    case 'resume':
      return resumeSubscription(fresh(), { id: pick(subscriptions, -1) });
    case 'adjust': {
      const { timing, quantity, prorateCurrentBillingPeriod } = deed;
      const newSubscriptionItems = quantity === 0 ? [] : [{ priceId: person.priceId, quantity }];
      return adjustSubscription(fresh(), {
        id: pick(subscriptions, -1),
        adjustment: { timing, newSubscriptionItems, prorateCurrentBillingPeriod },
      });
    }
    case 'commit': {
      const { timing, amount } = deed;
      return setCommitment(fresh(), {
        id: pick(subscriptions, -1),
        commitment: { amount },
        timing,
      });
    }
    case 'subscribe':
      return subscribe(fresh(), person);
    case 'mix':
      return aSubscription(fresh(), { customerId, priceId: person.foreignId });
    case 'use': {
      const slug = person.meterSlug;
      if (!slug) return undefined;
      const [event] = await use(fresh(), { id: pick(subscriptions, -1), slug }, deed.amount);
      return event && events.push(event.id);
    }
    case 'unuse':
      return voidEvent(fresh(), pick(events, deed.nth));
  }
}

async function credit(
  fresh: () => Session,
  customerId: string,
  { nth, settle, percent, isLine }: Deed & { do: 'credit' },
) {
  const invoice = pick(await invoicesOf(fresh(), customerId), nth);
  const [line] = await invoice.lineItems.loadItems();
  const part = (amount: number) => share(amount, percent ?? 0);
  const lines = line && [{ invoiceLineItemId: line.id, amount: part(line.amount) }];
  const of = isLine && lines ? { lines } : { amount: part(invoice.total) };
  return createCreditNote(fresh(), {
    creditNote: {
      invoiceId: invoice.id,
      settle,
      reason: 'other',
      ...(percent === null ? { whole: true } : of),
    },
  });
}

/** Ends a subscription with a credit, now or some hours later. */
async function cancelWithCredit(
  fresh: () => Session,
  id: string,
  { credit, hours }: Deed & { do: 'cancel' },
) {
  if (hours === undefined) {
    return cancelSubscription(fresh(), { id, cancellation: { timing: 'immediately', credit } });
  }
  const subscription = await fresh().em.findOneOrFail(Subscription, id);
  const now = await nowOfSubscription(fresh(), subscription);
  const cancelAt = new Date(now.getTime() + hours * 3_600_000);
  return cancelSubscription(fresh(), { id, cancellation: { timing: 'at_date', cancelAt, credit } });
}

/** One of the elements. */
function pick<T>(all: readonly T[], nth: number): T {
  const one = all.at(all.length === 0 ? 0 : nth % all.length);
  if (one === undefined) throw new DomainError('NOT_FOUND', 'There is none');
  return one;
}
