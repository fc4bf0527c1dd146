import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { open, seal } from '#domain/kernel/security/secrets.ts';
import { Customer } from './customer.ts';
import { failureKinds } from './failure-kinds.ts';

/** The types of payment methods. */
export const paymentMethodTypes = ['card', 'link', 'us_bank_account', 'sepa_debit'] as const;

export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** The address of a payment method. */
export interface PostalAddress {
  readonly name?: string | null | undefined;
  readonly line1?: string | null | undefined;
  readonly line2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country?: string | null | undefined;
}

export interface BillingDetails {
  readonly name: string | null;
  readonly email: string | null;
  readonly address: PostalAddress & { readonly address?: PostalAddress | null | undefined };
}

const context = (id: string) => `payment_method ${id}`;

/** Encrypts a processor's token for storage. */
export const sealToken = (paymentMethodId: string, token: string) =>
  seal(token, context(paymentMethodId));

const PaymentMethodSchema = defineEntity({
  name: 'PaymentMethod',
  uniques: [
    {
      name: 'payment_method_default_unique',
      properties: ['customer'],
      where: { default: true },
    },
  ],
  indexes: [
    pageIndex('payment_method'),
    { name: 'payment_method_token', properties: ['tokenHash'] },
    { name: 'payment_method_customer', properties: ['customer', 'createdAt'] },
    {
      name: 'payment_method_expiry',
      properties: ['expiresOn', 'id'],
      where: { expiresOn: { $ne: null }, detachedAt: null },
    },
    {
      name: 'payment_method_detach',
      properties: ['detachDueAt', 'id'],
      where: { detachDueAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    payment_method_default: `not "default" or detached_at is null`,
  }),
  properties: {
    ...tenantColumns('pm'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    type: p.enum(paymentMethodTypes),
    /** Whether it is charged where no other payment method is named. */
    default: p.boolean().default(false),
    billingDetails: p.json<BillingDetails>(),
    /** The data that the processor shows of it, such as the last digits of a card. */
    paymentMethodData: p.json<Record<string, unknown>>(),
    metadata: p.json<Record<string, unknown>>().nullable(),
    /** Since when it cannot be used any longer. */
    detachedAt: instant().nullable(),
    /** When the processor is asked to detach it, too; null when nothing is left to be done there. */
    detachDueAt: instant().nullable().hidden(),
    /** The processor that knows the token, and the account there. */
    processor: p.string().default('sandbox'),
    processorAccountId: p.string().nullable(),
    /** The kind of the refusal since which it is not charged automatically; null while it is. */
    refusalKind: p.enum(failureKinds).nullable(),
    refusedAt: instant().nullable(),
    /** The first day after its last month, for a card that the processor has stated it of. */
    expiresOn: instant().nullable().hidden(),
    /** The expiry that was announced last: each is announced once. */
    expiryAnnounced: instant().nullable().hidden(),
    /** SHA-256 of the token, for notices about it. */
    tokenHash: p.string().length(64).nullable().hidden(),
    /** The processor's reference of it; encrypted. */
    token: p.text().hidden(),
  },
});

/** A means of payment of a customer; its token identifies it at the processor. */
export class PaymentMethod extends PaymentMethodSchema.class implements EmitsEvents {
  /** The expiry that the event of this transaction announces; not a column. */
  declare private announced?: Date;

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  /** Has the event of this transaction announce the expiry, and remembers it. */
  announceExpiry(expiry: Date) {
    this.expiryAnnounced = expiry;
    this.announced = expiry;
  }

  verbFor() {
    return this.announced && 'expiring';
  }

  further() {
    return this.announced ? { announcedFor: this.announced.getTime() } : {};
  }

  /** The processor's reference of it. */
  openToken(): string {
    return open(this.token, context(this.id));
  }
}
PaymentMethodSchema.setClass(PaymentMethod);
