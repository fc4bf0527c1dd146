import type { EntityMetadata } from '@mikro-orm/core';
import { expect } from 'vitest';
import { erasedFields } from '#domain/platform/commands/customers/erase-records.ts';
import {
  documentTexts,
  erasedCustomer,
} from '#domain/platform/commands/customers/personal-data.ts';
import { test } from '../../../support/test.ts';

/** Names of fields that refer to a record, or whose values this service or a processor chooses. */
const impersonal =
  /(Id|Ids|Reference|Hash|Code|Reason|Type|Country|State|Percentage|Number|Url|currency|month|processor)$/;

/** Fields that name no person, and those that stay or are erased in another way. */
const known: Readonly<Record<string, readonly string[]>> = {
  // Rules and amounts.
  Alert: ['percentages'],
  BillingPeriod: ['proration', 'discount', 'commitment'],
  BillingRun: ['errorDetails', 'adjustment'],
  Customer: ['invoiceNumberBase'],
  DiscountRedemption: ['name', 'code'],
  OneOffCharge: ['trialRest'],
  Subscription: ['scheduledAdjustment', 'commitment'],
  SubscriptionItem: ['name', 'pricing'],
  SubscriptionPhase: ['items', 'problem'],
  // Our own texts about what failed.
  TopUp: ['problem'],
  UsageCredit: ['rolledInto'],
  // Documents and money, which laws keep.
  CreditNote: ['taxLines'],
  Dispute: ['reason'],
  Invoice: ['parties', 'taxLines', 'taxesCredited'],
  InvoiceLineItem: ['commitment', 'priceParts', 'usageBreakdown'],
  Payment: ['description', 'failureMessage', 'idempotencyKey'],
  Refund: ['failureMessage'],
  Remittance: ['reference', 'attachmentURL', 'recordedBy'],
  ProcessorCustomer: ['reference'],
  PaymentMethod: ['token'],
  // Usage, of which invoices are computed.
  UsageEvent: ['properties'],
  // Erased row by row.
  CustomerToken: ['scopes', 'allowedOrigins'],
  Event: ['type', 'data', 'previousAttributes', 'cause'],
  Mail: [
    ...['sender', 'recipient', 'replyTo', 'subject', 'text', 'html', 'language', 'problem'],
    ...['attempts', 'claim'],
  ],
};

/** The texts and documents of a record. */
const textsOf = ({ props }: EntityMetadata) =>
  props.filter(
    ({ kind, primary, persist, enum: isEnum, columnTypes: [column = ''] = [] }) =>
      kind === 'scalar' &&
      !primary &&
      !isEnum &&
      persist !== false &&
      /text|char|json/.test(column),
  );

test('each text of a record of a customer is erased with it, or is known to stay', ({
  database,
}) => {
  const erased: Readonly<Record<string, object>> = {
    ...erasedFields(),
    ...documentTexts,
    Customer: erasedCustomer({ id: 'cust_1' }),
  };
  const all = [...database.orm.em.getMetadata().getAll().values()];
  const ofCustomers = all.filter(
    ({ className, props }) =>
      className === 'Customer' || props.some(({ name }) => /^customer(Id)?$/.test(name)),
  );
  expect(ofCustomers.length).toBeGreaterThan(20);
  const forgotten = ofCustomers.flatMap((meta) =>
    textsOf(meta)
      .filter(({ name }) => !impersonal.test(name))
      .filter(({ name }) => !known[meta.className]?.includes(name))
      .filter(({ name }) => !(name in (erased[meta.className] ?? {})))
      .map(({ name }) => `${meta.className}.${name} in personal-data.ts`),
  );
  expect(forgotten).toEqual([]);
});
