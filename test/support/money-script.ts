import fc from 'fast-check';
import { createCreditNote } from '#domain/credit-notes/create-credit-note.ts';
import { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { payInvoice } from '#domain/invoices/pay-invoice.ts';
import { markInvoiceUncollectible, voidInvoice } from '#domain/invoices/settle-by-hand.ts';
import { taxTypes } from '#domain/invoices/tax.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { setDefaultPaymentMethod } from '#domain/payment-methods/default-payment-method.ts';
import { detachPaymentMethod } from '#domain/payment-methods/detach-payment-method.ts';
import { checkDuePayments } from '#domain/payments/check-payments.ts';
import { Payment } from '#domain/payments/payment.ts';
import { refundPayment } from '#domain/payments/refund-payment.ts';
import { executeDueRuns } from '#domain/rules/collection/execute-billing-run.ts';
import { sandboxTokens } from '#domain/rules/processing/sandbox/sandbox-tokens.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/due-subscriptions.ts';
import { uncancelSubscription } from '#domain/subscriptions/uncancel-subscription.ts';
import { advanceTestClock } from '#domain/test-clocks/advance-test-clock.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import {
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  aTestClock,
} from './factories.ts';
import { at } from './instants.ts';

const token = fc.constantFrom('sandbox_success', ...sandboxTokens);
const nth = fc.nat(5);

const taxRule = fc.record({
  taxType: fc.constantFrom('vat' as const, 'sales_tax' as const, 'none' as const, ...taxTypes),
  taxRatePercentage: fc.constantFrom('0', '8.875', '19', '20', '33.3333', '99.9999', '100'),
  taxInclusive: fc.boolean(),
});

/** Three currencies of one tenant, with 0, 2 and 3 decimals among them. */
const currencies = fc.shuffledSubarray(['USD', 'EUR', 'JPY', 'KWD', 'HUF'], {
  minLength: 3,
  maxLength: 3,
});

/** The initial state of a tenant. */
export const settings = fc.record({
  /** That of the customer, of its neighbor, and of prices that neither can pay. */
  currencies,
  neighbor: fc.boolean(),
  unitPrice: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(1, 999_999_999_999)),
  quantity: fc.integer({ min: 1, max: 7 }),
  interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'month' as const),
  intervalCount: fc.integer({ min: 1, max: 3 }),
  organizationTax: fc.option(taxRule),
  customerTax: fc.option(taxRule),
  dunningFinalAction: fc.constantFrom('cancel' as const, 'unpaid' as const),
  token: fc.option(token, { freq: 6 }),
  backup: fc.option(token),
  /** The price of a second subscription, which is charged at the same instants as the first. */
  second: fc.option(fc.integer({ min: 1, max: 20_000 })),
});
export type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** One action of a caller; an action that is impossible at the time is refused. */
export const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      hours: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('add' as const), token, default: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      nth,
      percent: fc.integer({ min: 1, max: 110 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), nth, method: nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      nth,
      settle: fc.constantFrom('refund' as const, 'credit' as const, 'write_off' as const),
      /** Null for the whole invoice. */
      percent: fc.option(fc.integer({ min: 1, max: 110 })),
      isLine: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('giveUp' as const, 'void' as const), nth }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('default' as const, 'detach' as const),
      method: nth,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'cancelLater' as const, 'uncancel' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('subscribe' as const, 'mix' as const) }),
  },
);
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const begin = new Date('2026-01-31T10:00:00Z');
const hour = 3_600_000;

/** A customer on its own clock that follows a script. */
export interface Simulation {
  readonly session: Session;
  execute(action: Action): Promise<void>;
}

/**
 * Sets up a tenant. The customer is on a test clock, and an advance is made in `advances` steps. With `caught up` it
 * lives in real time, and the scheduled jobs catch up at the end of each advance.
 */
export async function simulate(
  session: Session,
  settings: Settings,
  advances: number | 'caught up',
): Promise<Simulation> {
  let now = advances === 'caught up' ? begin : session.now;
  const fresh = () => at(session, now);
  const methods: string[] = [];
  const subscriptions: string[] = [];
  const { em, organizationId } = fresh();
  const { dunningFinalAction, organizationTax, customerTax } = settings;
  const organization = await em.findOneOrFail(Organization, organizationId);
  Object.assign(organization, { dunningFinalAction, ...organizationTax });
  const clock = advances === 'caught up' ? null : await aTestClock(session, begin);
  const { id: customerId } = await aCustomer(fresh(), { testClockId: clock?.id });
  Object.assign(await em.findOneOrFail(Customer, customerId), customerTax);
  await em.flush();
  const add = async (token: string, isDefault = false) => {
    const { id } = await aPaymentMethod(fresh(), customerId, { token, default: isDefault });
    methods.push(id);
    return id;
  };
  const defaultPaymentMethodId = settings.token && (await add(settings.token));
  const backupPaymentMethodId = settings.backup && (await add(settings.backup));
  const { unitPrice, quantity, interval, intervalCount } = settings;
  const [currency = 'USD', neighbors, foreign] = settings.currencies;
  const terms = { unitPrice, intervalUnit: interval, intervalCount };
  const priceId = await aPriceOf(session, { ...terms, currency });
  const foreignId = await aPriceOf(session, { ...terms, currency: foreign });
  const subscribe = async () => {
    const payers = { defaultPaymentMethodId, backupPaymentMethodId };
    const { id } = await aSubscription(fresh(), { customerId, priceId, quantity, ...payers });
    subscriptions.push(id);
  };
  await subscribe();
  if (settings.second) await subscribeBeside(settings.second);
  if (settings.neighbor) await subscribeNeighbor();

  return { session, execute: (action) => execute(action).then(() => {}, refusal) };

  async function execute(action: Action): Promise<unknown> {
    switch (action.do) {
      case 'advance':
        return advance(action.hours);
      case 'add':
        return add(action.token, action.default);
      case 'refund': {
        const payment = pick(await paymentsOf(fresh(), customerId), action.nth);
        const partialAmount = Math.ceil((payment.amount * action.percent) / 100);
        return refundPayment(fresh(), { id: payment.id, partialAmount });
      }
      case 'pay': {
        const { id } = pick(await openInvoicesOf(fresh(), customerId), action.nth);
        return payInvoice(fresh(), { id, paymentMethodId: pick(methods, action.method) });
      }
      case 'credit':
        return credit(action);
      case 'giveUp': {
        const { id } = pick(await openInvoicesOf(fresh(), customerId), action.nth);
        return markInvoiceUncollectible(fresh(), { id });
      }
      case 'void': {
        const { id } = pick(await unpaidInvoicesOf(fresh(), customerId), action.nth);
        return voidInvoice(fresh(), { id });
      }
      case 'default':
        return setDefaultPaymentMethod(fresh(), { id: pick(methods, action.method) });
      case 'detach':
        return detachPaymentMethod(fresh(), { id: pick(methods, action.method) });
      case 'cancel':
        return cancelSubscription(fresh(), {
          id: pick(subscriptions, -1),
          cancellation: { timing: 'immediately' },
        });
      case 'cancelLater':
        return cancelSubscription(fresh(), {
          id: pick(subscriptions, -1),
          cancellation: { timing: 'at_end_of_current_billing_period' },
        });
      case 'uncancel':
        return uncancelSubscription(fresh(), { id: pick(subscriptions, -1) });
      case 'subscribe':
        return subscribe();
      case 'mix':
        return aSubscription(fresh(), { customerId, priceId: foreignId });
    }
  }

  async function credit({ nth, settle, percent, isLine }: Action & { do: 'credit' }) {
    const invoice = pick(await invoicesOf(fresh(), customerId), nth);
    const part = (amount: number) => Math.max(1, Math.ceil((amount * (percent ?? 0)) / 100));
    const [line] = await invoice.lineItems.loadItems();
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

  /** A moment later, so that one of the two is older; both start at the same instant. */
  async function subscribeBeside(unitPrice: number) {
    await allowSeveral(session);
    const price = { unitPrice, currency, intervalUnit: interval, intervalCount };
    const priceId = await aPriceOf(session, price);
    await moveTo(new Date(begin.getTime() + 1));
    const input = { customerId, priceId, startDate: begin, defaultPaymentMethodId };
    await aSubscription(fresh(), input).catch(refusal);
  }

  /** A customer that pays in another currency at the same instants. */
  async function subscribeNeighbor() {
    const { id: customerId } = await aCustomer(fresh(), { testClockId: clock?.id });
    const { id } = await aPaymentMethod(fresh(), customerId, { token: 'sandbox_success' });
    const priceId = await aPriceOf(session, { ...terms, currency: neighbors });
    await aSubscription(fresh(), { customerId, priceId, defaultPaymentMethodId: id });
  }

  async function moveTo(frozenTime: Date) {
    if (clock) return advanceTestClock(fresh(), { id: clock.id, frozenTime });
    now = frozenTime;
    const { em } = fresh();
    await transitionDueSubscriptions(em, now, 'catch up');
    await executeDueRuns(em, now, 'catch up', fail);
    await checkDuePayments(em, now, 'catch up', fail);
  }

  async function advance(hours: number) {
    if (!clock || advances === 'caught up') {
      await moveTo(new Date(now.getTime() + hours * hour));
      return;
    }
    const { frozenTime } = await fresh().em.findOneOrFail(TestClock, clock.id);
    for (let advance = 1; advance <= advances; advance++) {
      const to = frozenTime.getTime() + Math.floor((hours * hour * advance) / advances);
      await moveTo(new Date(to));
    }
  }
}

const paymentsOf = ({ em }: Session, customerId: string) =>
  em.find(
    Payment,
    { customerId, status: { $in: ['succeeded', 'refunded'] } },
    { orderBy: { chargeDate: 'asc', amount: 'asc' } },
  );

const openInvoicesOf = (session: Session, customer: string) =>
  invoicesOf(session, customer, ['open']);
const unpaidInvoicesOf = (session: Session, customer: string) =>
  invoicesOf(session, customer, ['open', 'uncollectible']);

async function invoicesOf(
  { em }: Session,
  customer: string,
  status: Invoice['status'][] = ['open', 'paid', 'partially_refunded', 'uncollectible'],
) {
  const invoices = await em.find(Invoice, { customer, status: { $in: status } });
  return invoices.toSorted((a, b) => a.invoiceNumber.localeCompare(b.invoiceNumber));
}

/** One of the elements. */
function pick<T>(all: readonly T[], nth: number): T {
  const one = all.at(all.length === 0 ? 0 : nth % all.length);
  if (one === undefined) throw new DomainError('NOT_FOUND', 'There is none');
  return one;
}

/** An unreachable processor is expected as well. */
const fail = (error: unknown) => {
  if (!String(error).includes('could not be reached')) throw error;
};

/** A refusal with a reason is expected; any other error is a failure. */
function refusal(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
}
