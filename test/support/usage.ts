import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { balancesOf } from '#domain/metering/commands/usage-balances/read-balances.ts';
import { grantUsageCredits } from '#domain/metering/commands/usage-credits/grant-usage-credits.ts';
import type { RolloverTerms } from '#domain/model/catalog/rollover.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { voidUsageEvent } from '#domain/recording/commands/usage-events/void-usage-event.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { identifiers, type UsageEventInput } from '#domain/recording/usage-event-input.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { fresh } from './factories.ts';
import { aTimedSubscription } from './timeline.ts';

let count = 0;

interface Usage {
  aggregationType?: (typeof aggregationTypes)[number];
  /** The price of 10 units, in minor units. */
  unitPrice?: number;
  usageEventsPerUnit?: number;
  /** The credits of each period; none when absent. */
  credits?: number;
  /** How the credits of each period roll over; they expire when absent. */
  rollover?: Partial<RolloverTerms> | null;
  creditsOnce?: number;
  from?: string;
  paid?: boolean;
  price?: number;
  trialEnd?: Date;
  doNotCharge?: boolean;
  startDate?: Date;
  paidUntil?: Date;
  discountCode?: string;
  /** The model of the price, such as tiers. */
  pricing?: Partial<Parameters<typeof createPrice>[1]['price']>;
  commitment?: CreateSubscriptionInput['commitment'];
  billAt?: number;
}

/** A subscription on its own clock that uses a meter with a price, and maybe has credits. */
export async function aMeteredSubscription(
  session: Session,
  { credits, creditsOnce, from, paid = true, price = 1_000, ...usage }: Usage = {},
) {
  const slug = `metered-${++count}`;
  const meter = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug, aggregationType: usage.aggregationType ?? 'sum' },
    price: {
      unitPrice: usage.unitPrice ?? 2,
      usageEventsPerUnit: usage.usageEventsPerUnit ?? 10,
    },
  });
  if (usage.pricing) {
    await createPrice(fresh(session), {
      price: {
        type: 'usage',
        slug: `${slug}-model`,
        usageMeterId: meter.id,
        usageEventsPerUnit: 1,
        intervalUnit: 'month',
        isDefault: true,
        ...usage.pricing,
      },
    });
  }
  const featureIds: string[] = [];
  for (const [amount, renewalFrequency] of [
    [credits, 'every_billing_period'],
    [creditsOnce, 'once'],
  ] as const) {
    if (amount === undefined) continue;
    const feature = await createFeature(fresh(session), {
      feature: {
        type: 'usage_credit_grant',
        name: 'Credits',
        description: 'Free calls',
        slug: `${slug}-${renewalFrequency}`,
        amount,
        usageMeterId: meter.id,
        renewalFrequency,
        ...(usage.rollover &&
          renewalFrequency === 'every_billing_period' && {
            rollover: usage.rollover,
          }),
      },
    });
    featureIds.push(feature.id);
  }
  const { trialEnd, doNotCharge, startDate, paidUntil, discountCode } = usage;
  const timed = await aTimedSubscription(session, {
    paid,
    unitPrice: price,
    ...(from && { from }),
    ...(featureIds.length > 0 && { featureIds }),
    ...(trialEnd && { trialEnd }),
    ...(doNotCharge && { doNotCharge }),
    ...(startDate && { startDate }),
    ...(paidUntil && { paidUntil }),
    ...(discountCode && { discountCode }),
    ...(usage.commitment && { commitment: usage.commitment }),
    ...(usage.billAt && { billAt: usage.billAt }),
  });
  return { ...timed, slug, meterId: meter.id };
}

/** A metered subscription and its meter. */
export interface User {
  readonly id: string;
  readonly slug: string;
}

type Use = number | string | (Partial<UsageEventInput> & { amount: string });

/** Reports uses in one call: amounts, or events whose other fields are filled in. */
export async function use(session: Session, { id, slug }: User, ...uses: Use[]) {
  const usageEvents = uses.map((use): UsageEventInput => {
    const given = typeof use === 'object' ? use : { amount: String(use) };
    const named = identifiers.some((name) => given[name] != null);
    return {
      subscriptionId: id,
      transactionId: `use-${++count}`,
      ...(!named && { usageMeterSlug: slug }),
      ...given,
    } as UsageEventInput;
  });
  return (await recordUsageEvents(fresh(session), { usageEvents })).events;
}

/** Voids an event. */
export const voidEvent = (session: Session, id: string) =>
  voidUsageEvent(fresh(session), { id, reason: 'A mistake' });

/** Grants credits by hand. */
export const grant = (
  session: Session,
  { id, slug }: User,
  amount: number | string,
  more: { expiresAt?: Date; priority?: number } = {},
) =>
  grantUsageCredits(fresh(session), {
    usageCredit: { subscriptionId: id, usageMeterSlug: slug, amount: String(amount), ...more },
  });

/** The balance of a subscription on its one meter, or on one of its meters. */
export async function balanceOf(session: Session, { id, slug }: User) {
  const own = fresh(session);
  const subscription = await own.em.findOneOrFail(Subscription, id);
  const found = (await balancesOf(own, subscription)).find(({ meter }) => meter.slug === slug);
  if (!found) return undefined;
  const { available, used, granted, remaining, overage } = found;
  return { available, used, granted, remaining, overage };
}

/** The usage that is possible without further charges, less the usage that is due. */
export const availableOf = async (session: Session, user: User) =>
  Number((await balanceOf(session, user))?.available);

/** The owed usage of closed periods, and whether an invoice bills it: `10 billed`. */
export async function owedOf(session: Session, { id }: Pick<User, 'id'>): Promise<string[]> {
  const owed = await fresh(session).em.find(
    OwedUsage,
    { balance: { subscription: id } },
    { orderBy: { createdAt: 'asc', quantity: 'desc' } },
  );
  return owed.map(({ quantity, invoiceLineItem }) =>
    invoiceLineItem ? `${quantity} billed` : quantity,
  );
}

/** The usage lines of invoices, the oldest first: `20 of usage cost 4`, and the status of the invoice. */
export async function billsOf(session: Session, { id }: Pick<User, 'id'>): Promise<string[]> {
  const { em } = fresh(session);
  const invoices = await em.find(
    Invoice,
    { subscription: id },
    { orderBy: { invoiceNumber: 'asc' } },
  );
  const lines = await em.find(InvoiceLineItem, { invoice: { subscription: id }, type: 'usage' });
  return invoices.flatMap((invoice) =>
    lines
      .filter((line) => line.invoice.id === invoice.id)
      .map(({ usageQuantity, amount }) => `${usageQuantity} cost ${amount}, ${invoice.status}`)
      .sort(),
  );
}

/** The present credits of a subscription, in the order in which they were granted. */
export const creditsOf = (session: Session, { id }: Pick<User, 'id'>) =>
  fresh(session).em.find(
    UsageCredit,
    { subscriptionId: id },
    { orderBy: { createdAt: 'asc', amount: 'asc', id: 'asc' } },
  );
