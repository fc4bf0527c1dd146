import { expect } from 'vitest';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import { membersOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import type { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { documentsOf, type Timeline } from './consolidated.ts';

const amounts = 'subtotal taxAmount total creditApplied';
const ofInvoice = `subscriptionId customerId purpose invoiceDate dueDate collectionMethod currency
  billingPeriodStartDate billingPeriodEndDate taxType taxRatePercentage taxInclusive ${amounts} prepaidApplied
  taxes { name ratePercentage base amount }`;
const ofLine = '{ type description quantity price amount priceId }';
const ofDocument = `customerId invoiceDate scheduledFor dueDate currency collectionMethod ${amounts}`;

/** The query of the next document of a customer, with all that a written document shows, too. */
export const upcomingDocument = `query($customer: ID!) {
  upcoming: upcomingConsolidatedInvoice(customer: $customer) {
    ${ofDocument} amountDue asOf
    invoices { ${ofInvoice} amountDue lines ${ofLine} }
    leftOut { subscriptionId reason explanation nextAt subscription { name } }
  }
}`;

const writtenDocument = `query($id: ID!) { written: consolidatedInvoice(id: $id) { ${ofDocument} } }`;
const writtenInvoice = `query($id: ID!) { written: invoice(id: $id) { ${ofInvoice} lines: lineItems ${ofLine} } }`;

/** A call of the graph. */
export type Graphql = (
  query: string,
  variables?: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any operation
) => Promise<any>;

/** The next document of the customer of a timeline. */
export async function upcomingOf(graphql: Graphql, { customer }: Timeline) {
  const { data, errors } = await graphql(upcomingDocument, { customer: customer.id });
  expect(errors).toBeUndefined();
  return data.upcoming;
}

/** Expects that a document was written exactly as it was shown before. */
export async function expectAsShown(
  graphql: Graphql,
  timeline: Timeline,
  // biome-ignore lint/suspicious/noExplicitAny: the answer of the query
  { amountDue, asOf: _, invoices, leftOut: __, ...shown }: any,
  document: ConsolidatedInvoice | undefined,
) {
  if (!document) throw new Error('There is no document');
  const { data, errors } = await graphql(writtenDocument, { id: document.id });
  expect(errors).toBeUndefined();
  expect(shown).toEqual(data.written);
  const members = await membersOf(timeline.fresh(), document);
  expect(invoices).toHaveLength(members.length);
  for (const [place, { id, total, creditApplied }] of members.entries()) {
    const { data } = await graphql(writtenInvoice, { id });
    const { amountDue: due, ...member } = invoices[place];
    expect(member).toEqual(data.written);
    expect(due).toBe(total - creditApplied);
  }
  expect(amountDue).toBe(members.reduce((sum, one) => sum + one.total - one.creditApplied, 0));
}

/** The document that follows those that are known. */
export const documentAfter = async (timeline: Timeline, known: number) =>
  (await documentsOf(timeline))[known];

let count = 0;

/** A meter whose unit costs 70 for each 3 events. */
export async function aMeter({ fresh }: Timeline) {
  const slug = `upcoming-${++count}`;
  await createUsageMeter(fresh(), {
    usageMeter: { name: 'Calls', slug, aggregationType: 'sum' },
    price: { unitPrice: 70, usageEventsPerUnit: 3 },
  });
  return slug;
}
