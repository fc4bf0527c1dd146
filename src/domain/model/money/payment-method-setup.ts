import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { openAddress } from '#domain/kernel/security/sealed-address.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';

export const setupStatuses = ['open', 'completed', 'expired'] as const;

const PaymentMethodSetupSchema = defineEntity({
  name: 'PaymentMethodSetup',
  indexes: [
    pageIndex('payment_method_setup'),
    {
      name: 'payment_method_setup_customer',
      properties: ['customer', 'createdAt', 'position', 'id'],
    },
    { name: 'payment_method_setup_reference', properties: ['processorReference'] },
    {
      name: 'payment_method_setup_open',
      properties: ['expiresAt'],
      where: { status: 'open' },
    },
  ],
  checks: checksOf({
    payment_method_setup_completed: `status <> 'completed' or payment_method_id is not null`,
  }),
  properties: {
    ...tenantColumns('pm_setup'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    status: p.enum(setupStatuses).default('open'),
    /** Whether the payment method becomes the customer's default. */
    default: p.boolean().default(true),
    returnUrl: p.text(),
    cancelUrl: p.text(),
    /** The processor's page, encrypted (`page` opens it); null until it has been opened. */
    url: p.text().nullable(),
    expiresAt: instant().nullable(),
    paymentMethod: () => p.manyToOne(PaymentMethod).ref().nullable().deleteRule('cascade').index(),
    processor: p.string().default('sandbox'),
    processorAccountId: p.string().nullable(),
    processorReference: p.string().nullable().hidden(),
  },
});

/** A page of the processor where a customer enters a payment method. */
export class PaymentMethodSetup extends PaymentMethodSetupSchema.class implements EmitsEvents {
  /** The address of the processor's page; null until it has been opened. */
  page(): string | null {
    return openAddress('payment_method_setup', this.id, this.url);
  }

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get paymentMethodId(): Opt<string> | null {
    return this.paymentMethod?.id ?? null;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') && this.status === 'completed' ? 'completed' : undefined;
  }
}
PaymentMethodSetupSchema.setClass(PaymentMethodSetup);
