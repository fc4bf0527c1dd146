import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { amountIndex, pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { openAddress, sealAddress } from '#domain/kernel/security/sealed-address.ts';
import { taxTypes } from '#domain/model/catalog/tax.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { failureKinds } from '#domain/model/platform/failure-kinds.ts';
import { PaymentMethod, paymentMethodTypes } from '#domain/model/platform/payment-method.ts';
import { externalMethods, Remittance } from './remittance.ts';

export const paymentStatuses = [
  'canceled',
  'failed',
  'refunded',
  'processing',
  'succeeded',
  'requires_confirmation',
  'requires_action',
] as const;

/** The types of payment methods, and the ways in which money arrives without a processor. */
export const paymentTypes = [...paymentMethodTypes, ...externalMethods] as const;

/** The statuses in which the processor has not decided finally. */
export const pendingPaymentStatuses = [
  'processing',
  'requires_confirmation',
  'requires_action',
] as const;

const PaymentSchema = defineEntity({
  name: 'Payment',
  uniques: [
    { name: 'payment_attempt_unique', properties: ['idempotencyKey'] },
    {
      name: 'payment_pending_unique',
      properties: ['invoice'],
      where: { status: { $in: [...pendingPaymentStatuses] } },
    },
  ],
  indexes: [
    { name: 'payment_subscription', properties: ['subscriptionId', 'createdAt', 'position', 'id'] },
    pageIndex('payment'),
    {
      name: 'payment_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
    { name: 'payment_charge_date', properties: ['pricingModelId', 'chargeDate', 'position', 'id'] },
    amountIndex('payment', 'payment_amount', 'amount'),
    { name: 'payment_invoice', properties: ['invoice'] },
    {
      name: 'payment_failed',
      properties: ['pricingModelId', 'chargeDate'],
      where: { status: 'failed' },
    },
    { name: 'payment_reference', properties: ['processorReference'] },
    { name: 'payment_charge_reference', properties: ['chargeReference'] },
    { name: 'payment_customer', properties: ['customerId', 'createdAt'] },
    { name: 'payment_remittance', properties: ['remittance'] },
    {
      name: 'payment_charged_with',
      properties: ['chargedWithId'],
      where: { chargedWithId: { $ne: null } },
    },
    {
      name: 'payment_due',
      properties: ['testClockId', 'checkDueAt', 'id'],
      where: { checkDueAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    payment_pending_due: `check_due_at is not null or charged_with_id is not null
        or status in ('canceled', 'failed', 'refunded', 'succeeded')`,
    payment_charge: `num_nonnulls(charged_with_id, charge_amount, remittance_id) <= 1
        and (charge_amount is null or charge_amount > amount)
        and (charged_with_id is null or check_due_at is null)`,
    payment_refund: `amount > 0 and refunded_amount >= 0 and refunded_amount <= amount
        and refunded = (refunded_amount = amount)`,
    payment_reversal: 'reversed_amount >= 0 and (reversed_amount = 0) = (reversed_at is null)',
    payment_action: `action_url is null or (status = 'requires_action' and action_expires_at is not null)`,
    payment_credited:
      'credited_amount >= 0 and refunded_amount + credited_amount + reversed_amount <= amount',
    payment_external: `(remittance_id is null) = (payment_method in ('card', 'link', 'us_bank_account', 'sepa_debit'))
        and (remittance_id is null or (reversed_amount = 0 and status <> 'canceled')
          or (reversed_amount = amount and status = 'canceled'))`,
  }),
  properties: {
    ...tenantColumns('pym'),
    invoice: () => p.manyToOne(Invoice).ref().deleteRule('cascade'),
    /** Minor units. */
    amount: safeInteger(),
    /** The type of the payment method, or the way in which the money arrived. */
    paymentMethod: p.enum(paymentTypes),
    currency: p.string().length(3),
    status: p.enum(paymentStatuses).default('processing'),
    chargeDate: instant(),
    settlementDate: instant().nullable(),
    description: p.text().nullable(),
    receiptNumber: p.string().nullable(),
    customerId: p.string(),
    purchaseId: p.string().nullable(),
    subscriptionId: p.string().nullable(),
    method: () => p.manyToOne(PaymentMethod).ref().nullable().name('payment_method_id').index(),
    billingPeriodId: p.string().nullable(),
    taxAmount: safeInteger(),
    subtotal: safeInteger(),
    taxType: p.enum(taxTypes).nullable(),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
    taxRatePercentage: p.string().nullable(),
    applicationFee: safeInteger().nullable(),
    refunded: p.boolean().default(false),
    refundedAmount: safeInteger().default(0),
    refundedAt: instant().nullable(),
    /** The part that is on the customer's credit balance or was used from there, in minor units. */
    creditedAmount: safeInteger().default(0),
    /** The receipt that it is a part of; null for a charge by a processor. */
    remittance: () => p.manyToOne(Remittance).ref().nullable().deleteRule('cascade'),
    failureMessage: p.text().nullable(),
    failureCode: p.string().nullable(),
    failureKind: p.enum(failureKinds).nullable(),
    declineCode: p.string().nullable(),
    adviceCode: p.string().nullable(),
    networkDeclineCode: p.string().nullable(),
    /** The processor that is asked for the money, and the account there. */
    processor: p.string().default('sandbox'),
    processorAccountId: p.string().nullable(),
    /** The processor's references of the attempt and of the movement of money. */
    processorReference: p.string().nullable(),
    /** Whether that was stored without an event. */
    referenceUntold: p.boolean().default(false).hidden(),
    chargeReference: p.string().nullable(),
    processorReceiptUrl: p.text().nullable(),
    /** The payment whose charge includes this one; null for a payment with a charge of its own. */
    chargedWithId: p.string().nullable(),
    /** The amount of the whole charge, where it includes other payments; minor units. */
    chargeAmount: safeInteger().nullable(),
    /** False when the customer was present at the charge. */
    offSession: p.boolean().default(true).hidden(),
    /**
     * The page where the customer confirms the payment, encrypted (`actionPage` opens it), and when the payment is
     * canceled without it.
     */
    actionUrl: p.text().nullable(),
    actionExpiresAt: instant().nullable(),
    /** The processor's reference of that page, when it expires, and how many there have been. */
    actionReference: p.string().nullable().hidden(),
    actionPageExpiresAt: instant().nullable().hidden(),
    actionPages: p.integer().default(0).hidden(),
    /** Whether a dispute about its charge is not decided; it is not refunded meanwhile. */
    disputed: p.boolean().default(false),
    /** The amount that lost disputes or the reversal of its receipt took away, in minor units. */
    reversedAmount: safeInteger().default(0),
    reversedAt: instant().nullable(),
    /** The processor's key of the charge; one for each attempt. */
    idempotencyKey: p.string().hidden(),
    billingRunId: p.string().nullable().hidden(),
    testClockId: p.string().nullable().hidden(),
    /** When the processor is asked for its status next. */
    checkDueAt: instant().nullable().hidden(),
  },
});

/**
 * One attempt to charge one payment method for an invoice, or money that was recorded for it by hand. A charge for
 * several invoices has one payment for each: the processor knows the first one, and the others name it.
 */
export class Payment extends PaymentSchema.class implements EmitsEvents {
  /** The event of this transaction tells of the reference; not a column. */
  declare private tellsReference?: true;

  /** Notes the processor's reference. The event shows also one that was stored without an event. */
  noteReference(reference: string | null | undefined) {
    if (this.referenceUntold) this.tellsReference = true;
    this.referenceUntold = false;
    this.processorReference = reference ?? this.processorReference ?? null;
  }

  untold() {
    return this.tellsReference ? { processorReference: null } : {};
  }

  get invoiceId(): Opt<string> {
    return this.invoice.id;
  }

  get paymentMethodId(): Opt<string> | null {
    return this.method?.id ?? null;
  }

  get isPending(): Opt<boolean> {
    return (pendingPaymentStatuses as readonly string[]).includes(this.status);
  }

  /** The payment that the processor knows: itself, or the one whose charge includes it. */
  get chargeId(): Opt<string> {
    return this.chargedWithId ?? this.id;
  }

  /** The amount that the processor is asked for, in minor units. */
  get chargedAmount(): Opt<number> {
    return this.chargeAmount ?? this.amount;
  }

  get remittanceId(): Opt<string> | null {
    return this.remittance?.id ?? null;
  }

  /** Whether it was recorded by hand, so that no processor knows it. */
  get isExternal(): Opt<boolean> {
    return this.remittance != null;
  }

  /** The part of it that pays its invoice: not refunded, credited to the customer or lost in a dispute; minor units. */
  get netAmount(): Opt<number> {
    const received = this.status === 'succeeded' || this.status === 'refunded';
    if (!received) return 0;
    return this.amount - this.refundedAmount - this.creditedAmount - this.reversedAmount;
  }

  /** The address of the page where the customer confirms it; null unless it waits for that. */
  actionPage(): string | null {
    return openAddress('payment', this.id, this.actionUrl);
  }

  /** Waits for the customer on a page, or no longer for null. */
  waitOn(page: string | null) {
    // The same page is no change: its address is encrypted differently each time.
    if (page === this.actionPage()) return;
    this.actionUrl = page === null ? null : sealAddress('payment', this.id, page);
  }

  /** A payment that is recorded by hand has succeeded from the start. */
  createdType() {
    return this.status === 'succeeded' ? 'payment.succeeded' : undefined;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('failureKind') && this.failureKind === 'configuration') return 'misconfigured';
    if (changed.has('actionUrl') && this.actionUrl) return 'requires_action';
    if (changed.has('reversedAt') && this.isExternal) return 'reversed';
    // A refund that fails after all makes it a succeeded payment again: that is no new success.
    if (!changed.has('status') || changed.has('refunded')) return undefined;
    return this.status === 'succeeded' || this.status === 'failed' ? this.status : undefined;
  }
}
PaymentSchema.setClass(Payment);
