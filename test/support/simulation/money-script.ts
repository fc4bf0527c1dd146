import { followUpInvoices } from '#domain/invoicing/commands/invoices/follow-up-invoices.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { checkDuePayments } from '#domain/money/commands/payments/check-payments.ts';
import { deliverSandboxNotices } from '#domain/money/commands/payments/deliver-sandbox-notices.ts';
import { resumeRefunds } from '#domain/money/commands/payments/resume-refunds.ts';
import { ProcessorMisconfigured } from '#domain/money/processing/port/processor-errors.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { aDiscount } from '../discounts.ts';
import {
  aCustomer,
  allowSeveral,
  aPriceOf,
  aTestClock,
  aUsageMeter,
  aUsagePrice,
} from '../factories.ts';
import { at } from '../instants.ts';
import type { Action, Settings } from './money-actions.ts';
import { durationOf } from './money-discounts.ts';
import { act, addMethod, type Person, subscribe } from './money-person.ts';

const begin = new Date('2026-01-31T10:00:00Z');
const hour = 3_600_000;

/** Customers on their own clock that follow a script. */
export interface Simulation {
  readonly session: Session;
  execute(action: Action): Promise<void>;
}

/**
 * Sets up a tenant. The customers are on a test clock, and an advance is made in `advances` steps. With `caught up`
 * they live in real time, and the scheduled jobs catch up at the end of each advance.
 */
export async function simulate(
  session: Session,
  settings: Settings,
  advances: number | 'caught up',
): Promise<Simulation> {
  let now = advances === 'caught up' ? begin : session.now;
  const fresh = () => at(session, now);
  const { em, organizationId } = fresh();
  const { dunningFinalAction, organizationTax, customerTax, daysUntilDue } = settings;
  const organization = await em.findOneOrFail(Organization, organizationId);
  const { draftWindowHours } = settings;
  Object.assign(organization, { dunningFinalAction, draftWindowHours, ...organizationTax });
  await em.flush();
  const clock = advances === 'caught up' ? null : await aTestClock(session, begin);
  const [currency = 'USD', neighbors, foreign] = settings.currencies;
  const { unitPrice, quantity, interval, intervalCount } = settings;
  const terms = { intervalUnit: interval, intervalCount };
  const foreignId = await aPriceOf(session, { ...terms, currency: foreign });

  const customer = await aPerson(currency, settings.token, settings.backup);
  if (settings.second) await subscribeBeside(settings.second);
  const neighbor = settings.neighbor && (await aPerson(neighbors, 'sandbox_success', null));

  return { session, execute: (action) => execute(action).then(() => {}, refusal) };

  async function execute(action: Action): Promise<unknown> {
    if ('do' in action) return advance(action.hours);
    if (action.by === 'customer') return act(fresh, customer, action.deed);
    return neighbor ? act(fresh, neighbor, action.deed) : undefined;
  }

  async function aPerson(currency = 'USD', token: string | null, backup: string | null) {
    const { id: customerId } = await aCustomer(fresh(), { testClockId: clock?.id });
    const { em } = fresh();
    const sends = daysUntilDue !== null && { collectionMethod: 'send_invoice', daysUntilDue };
    Object.assign(await em.findOneOrFail(Customer, customerId), { ...customerTax, ...sends });
    await em.flush();
    const of = { methods: [] as string[], subscriptions: [], events: [] };
    const priceId = await aPriceOf(session, { ...terms, unitPrice, currency });
    const meterSlug = await aMeter(currency);
    const person = { customerId, priceId, foreignId, meterSlug, subscription: {}, ...of };
    const defaultPaymentMethodId = token && (await addMethod(fresh(), person, token));
    const backupPaymentMethodId = backup && (await addMethod(fresh(), person, backup));
    const discountId = await aDiscountIn(currency);
    const paidBy = { defaultPaymentMethodId, backupPaymentMethodId };
    const { periodCount, anchorDayOfMonth } = settings;
    Object.assign(person.subscription, {
      ...{ quantity, periodCount, ...paidBy, ...(discountId && { discountId }) },
      ...(interval === 'month' && { anchorDayOfMonth }),
    });
    await subscribe(fresh(), person);
    return person satisfies Person;
  }

  async function aDiscountIn(currency: string): Promise<string | null> {
    if (!settings.discount) return null;
    const { amountType, amount, payments } = settings.discount;
    const size = amountType === 'fixed' ? { amountType, amount, currency } : { amountType, amount };
    return (await aDiscount(session, { ...size, ...durationOf(payments) })).id;
  }

  async function aMeter(currency: string): Promise<string | undefined> {
    if (settings.unitOfUsage === null) return undefined;
    const { id, slug } = await aUsageMeter(session);
    const { unitOfUsage: unitPrice, freeUnits, minimumAmount } = settings;
    const terms = { unitPrice, freeUnits, minimumAmount };
    await aUsagePrice(session, id, { isDefault: true, currency, ...terms });
    return slug;
  }

  /** A moment later, so that one of the two is older; both start at the same instant. */
  async function subscribeBeside(unitPrice: number) {
    await allowSeveral(session);
    const priceId = await aPriceOf(session, { ...terms, unitPrice, currency });
    await moveTo(new Date(begin.getTime() + 1));
    const startsBefore = { ...customer.subscription, quantity: 1, startDate: begin };
    await subscribe(fresh(), { ...customer, subscription: startsBefore }, priceId).catch(refusal);
  }

  async function moveTo(frozenTime: Date) {
    if (clock) return advanceTestClock(fresh(), { id: clock.id, frozenTime });
    now = frozenTime;
    const { em } = fresh();
    await transitionDueSubscriptions(em, now, 'catch up');
    await executeDueRuns(em, now, 'catch up', fail);
    await checkDuePayments(em, now, 'catch up', fail);
    await deliverSandboxNotices(em, now, 'catch up', fail);
    await resumeRefunds(em, now, 'catch up', fail);
    await followUpInvoices(em, now, 'catch up', fail);
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

/** A processor that is unreachable, or refuses the key or the request, is expected as well. */
const fail = (error: unknown) => {
  if (error instanceof ProcessorMisconfigured) return;
  if (!/could not be reached|is not dunned/.test(String(error))) throw error;
};

/** A refusal with a reason is expected; any other error is a failure. */
function refusal(error: unknown) {
  if (!(error instanceof DomainError || error instanceof ProcessorMisconfigured)) throw error;
}
