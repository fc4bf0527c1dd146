import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { amountIndex, pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { Actor } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';

/** The ways in which money arrives without a processor. */
export const externalMethods = [
  'bank_transfer',
  'check',
  'cash',
  'card_elsewhere',
  'other',
] as const;

export const remittanceStatuses = ['expected', 'received', 'canceled', 'reversed'] as const;

/** The statuses in which a reference is taken. */
const countedStatuses = ['expected', 'received'] as const;

const RemittanceSchema = defineEntity({
  name: 'Remittance',
  uniques: [
    {
      name: 'remittance_reference_unique',
      properties: ['organizationId', 'livemode', 'reference'],
      where: { reference: { $ne: null }, status: { $in: [...countedStatuses] } },
    },
  ],
  indexes: [
    pageIndex('remittance'),
    { name: 'remittance_customer', properties: ['customer', 'createdAt', 'position', 'id'] },
    {
      name: 'remittance_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
    amountIndex('remittance', 'remittance_amount', 'amount'),
  ],
  checks: checksOf({
    remittance_range: 'amount > 0',
    remittance_received: `(status in ('received', 'reversed')) = (received_at is not null)`,
    remittance_reversed: `(status = 'reversed') = (reversed_at is not null)`,
  }),
  properties: {
    ...tenantColumns('remittance'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    status: p.enum(remittanceStatuses),
    method: p.enum(externalMethods),
    /** Minor units. */
    amount: safeInteger(),
    /** ISO 4217, upper case. */
    currency: p.string().length(3),
    /** The text by which the bank or the check names it; unique within an organization and mode. */
    reference: p.string().nullable(),
    note: p.text().nullable(),
    attachmentURL: p.text().nullable().name('attachment_url'),
    /** When an announced one is expected. */
    expectedAt: instant().nullable(),
    receivedAt: instant().nullable(),
    /** The actor that recorded the receipt; null until then. */
    recordedBy: p.json<Actor>().nullable(),
    reversedAt: instant().nullable(),
    /** Why it was reversed or canceled. */
    reason: p.text().nullable(),
  },
});

/** Money that a customer sends without a processor. It is expected or received, and it pays one or more invoices. */
export class Remittance extends RemittanceSchema.class implements EmitsEvents {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  createdType() {
    return this.status === 'received' ? 'remittance.received' : undefined;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') ? this.status : undefined;
  }
}
RemittanceSchema.setClass(Remittance);
