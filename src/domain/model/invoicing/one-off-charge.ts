import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { costOf, unitsOfNumber } from '#domain/kernel/values/decimal.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { Invoice } from './invoice.ts';

export const oneOffChargeStatuses = ['pending', 'billed'] as const;

/** The rest of a billing period after the trial of an item, or the start of a phase; instants in milliseconds since 1970. */
export interface TrialRest {
  /** The end of the trial, or the start of the phase. */
  readonly since: number;
  /** The end of the period. */
  readonly until: number;
  /** The worth of the item, or of the change, in a whole period, in minor units after the discount of the period. */
  readonly worth: number;
  /** The same before that discount. */
  readonly listed: number;
  /** The amount that the charge was created with, in minor units. */
  readonly amount: number;
  /** Whether it began with a phase, and not after a trial. */
  readonly isPhase?: boolean;
  /** Whether a change of the plan charges from its instant on, so that the charge ends there. */
  readonly isCut?: boolean;
}

const OneOffChargeSchema = defineEntity({
  name: 'OneOffCharge',
  indexes: [
    pageIndex('one_off_charge'),
    { name: 'one_off_charge_customer', properties: ['customerId', 'createdAt'] },
    { name: 'one_off_charge_subscription', properties: ['subscription', 'createdAt'] },
    {
      name: 'one_off_charge_pending',
      properties: ['subscription', 'position'],
      where: { billedAt: null },
    },
  ],
  checks: checksOf({
    one_off_charge_rest: '(billing_period_id is null) = (trial_rest is null)',
    one_off_charge_range: 'quantity > 0 and unit_price > 0',
    one_off_charge_billed: '(billed_at is null) = (invoice_id is null)',
  }),
  properties: {
    ...tenantColumns('one_off'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    customerId: p.string(),
    name: p.string(),
    description: p.text().nullable(),
    /** Up to 9 places. */
    quantity: p.decimal('number').columnType('numeric'),
    /** Minor units for a quantity of 1, in the currency of the subscription. */
    unitPrice: safeInteger(),
    /** The price whose product has the tax code; null for the usual taxes. */
    price: () => p.manyToOne(Price).ref().nullable().deleteRule('restrict').index(),
    /** The invoice that bills it; null while it is pending. */
    invoice: () => p.manyToOne(Invoice).ref().nullable().deleteRule('cascade').index(),
    billedAt: instant().nullable(),
    /** The billing period of which it charges the rest after the trial of an item; null for any other charge. */
    billingPeriod: () => p.manyToOne(BillingPeriod).ref().nullable().deleteRule('cascade').index(),
    /** That rest; null for any other charge. */
    trialRest: p.json<TrialRest>().nullable().hidden(),
  },
});

/** A charge of a subscription that its next invoice bills once. */
export class OneOffCharge extends OneOffChargeSchema.class implements EmitsEvents {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get priceId(): Opt<string> | null {
    return this.price?.id ?? null;
  }

  get invoiceId(): Opt<string> | null {
    return this.invoice?.id ?? null;
  }

  get status(): Opt<(typeof oneOffChargeStatuses)[number]> {
    return this.billedAt ? 'billed' : 'pending';
  }

  /** Minor units before tax, rounded half up once. */
  get amount(): Opt<number> {
    return Number(costOf(unitsOfNumber(this.quantity), this.unitPrice, 1));
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('billedAt') ? 'billed' : undefined;
  }
}
OneOffChargeSchema.setClass(OneOffCharge);
