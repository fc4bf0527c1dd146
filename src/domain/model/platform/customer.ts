import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { columnsOf } from '#domain/kernel/inputs/own-texts.ts';
import {
  amountIndex,
  pageIndex,
  searchIndex,
  sortIndex,
} from '#domain/kernel/lists/list-indexes.ts';
import { taxExemptions, taxTypes } from '#domain/model/catalog/tax.ts';
import { type OptionalMailKind, optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';
import { collectionMethods } from './collection-methods.ts';
import { customerTexts } from './customer-texts.ts';
import type { CustomerAddress, TaxId } from './parties.ts';
import { TestClock } from './test-clock.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  uniques: [
    {
      name: 'customer_external_id_unique',
      properties: ['pricingModelId', 'externalId'],
      where: { archived: false },
    },
    {
      name: 'customer_invoice_number_base_unique',
      properties: ['organizationId', 'livemode', 'invoiceNumberBase'],
    },
  ],
  checks: checksOf({
    customer_credit: 'credit_balance >= 0',
    customer_prepaid: 'prepaid_balance >= 0',
    customer_credit_currency: 'credit_balance + prepaid_balance = 0 or currency is not null',
    customer_tax_ids: `jsonb_typeof(tax_ids) = 'array' and jsonb_array_length(tax_ids) <= 5`,
    customer_days_until_due: 'days_until_due >= 0',
    // The other kinds tell of money or access.
    customer_mails_off: `mails_off <@ array['${optionalMailKinds.join("', '")}']`,
    // An erased customer cannot be restored.
    customer_erased: 'erased_at is null or archived',
  }),
  indexes: [
    pageIndex('customer'),
    // The length of the usual list is that of the table less these.
    { name: 'customer_archived', properties: ['pricingModelId'], where: { archived: true } },
    sortIndex('customer', 'customer_name', 'lower(name)'),
    sortIndex('customer', 'customer_email', 'lower(email)'),
    amountIndex('customer', 'customer_owed', 'amount_owed'),
    searchIndex('customer'),
    {
      name: 'customer_metadata',
      expression:
        'create index "customer_metadata" on "customer" using gin (metadata jsonb_path_ops)',
    },
  ],
  properties: {
    ...tenantColumns('cust'),
    email: p.string(),
    name: p.string(),
    /** The prefix of the customer's invoice numbers: 7 characters of A-F0-9. */
    invoiceNumberBase: p.string().length(7),
    archived: p.boolean().default(false),
    /** When its personal data was erased; null while it is there. */
    erasedAt: instant().nullable(),
    /** The organization's own id of the customer. */
    externalId: p.string(),
    ...columnsOf(customerTexts),
    /** Where invoices are addressed to. */
    billingAddress: p.json<CustomerAddress>().nullable(),
    /** Its numbers at tax authorities, which invoices show. */
    taxIds: p.json<readonly TaxId[]>().defaultRaw(`'[]'`),
    /** The optional kinds of mails that are not sent to it. */
    mailsOff: p.array<OptionalMailKind>().$type<OptionalMailKind[]>().default([]),
    /** Key-value pairs of the organization. */
    metadata: p.json<Metadata>().nullable(),
    /** Whether it is exempt from tax, or accounts for VAT itself. */
    taxExempt: p.enum(taxExemptions).default('none'),
    /** The tax rule of the customer; that of the organization applies when the type is null. */
    taxType: p.enum(taxTypes).nullable(),
    taxRatePercentage: p.string().nullable(),
    taxInclusive: p.boolean().default(false),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
    /** How its new subscriptions and its manual invoices are collected. */
    collectionMethod: p.enum(collectionMethods).default('charge_automatically'),
    /** For its invoices that are sent: the days until they are due. */
    daysUntilDue: p.integer().nullable(),
    /** Whether invoices of one instant are one document; that of the organization applies when null. */
    consolidatesInvoices: p.boolean().nullable(),
    /** The number of its numbered invoices. */
    invoiceCount: p.integer().default(0).hidden(),
    /** ISO 4217, upper case: the currency of its invoices and its credit balance. Null before its first invoice. */
    currency: p.string().length(3).nullable().hidden(),
    /** The number of its credit notes. */
    creditNoteCount: p.integer().default(0).hidden(),
    /** The credit balance, in minor units; invoices use it first. */
    creditBalance: safeInteger().default(0),
    /** The sum of what remains of its prepaid credits, in minor units; invoices use it before the credit balance. */
    prepaidBalance: safeInteger().default(0),
    /** The amount due of its payable invoices, in minor units; the database keeps it. */
    amountOwed: safeInteger().default(0).hidden(),
    /** Counts how often its signed links were ended; each link names the count for which it was signed. */
    linkEpoch: p.integer().default(0).hidden(),
    testClock: () => p.manyToOne(TestClock).ref().nullable().deleteRule('cascade').index(),
  },
});

/** A person or company that subscribes and pays. */
export class Customer extends CustomerSchema.class implements EmitsEvents {
  get testClockId(): Opt<string> | null {
    return this.testClock?.id ?? null;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('erasedAt') ? 'erased' : undefined;
  }
}
CustomerSchema.setClass(Customer);
