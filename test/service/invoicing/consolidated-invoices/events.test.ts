import { describe, expect } from 'vitest';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Event } from '#domain/model/platform/event.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { follow } from '../../../support/answers/follow.ts';
import { fresh } from '../../../support/factories.ts';
import {
  aConsolidatingCustomer,
  documentsOf,
  type Timeline,
} from '../../../support/records/consolidated.ts';
import { test } from '../../../support/test.ts';

const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 } as const;
const declines = 'sandbox_decline_insufficient_funds';

async function documentOf(timeline: Timeline) {
  const [document] = await documentsOf(timeline);
  if (!document) throw new Error('There is no document');
  return document;
}

const eventsOf = (session: Session, objectId: string) =>
  fresh(session).em.find(Event, { objectId }, { orderBy: { position: 'asc' } });

const typesOf = async (session: Session, id: string) =>
  (await eventsOf(session, id)).map(({ type }) => type.replace('consolidated_invoice.', ''));

/** Each event has its own transaction and a higher version than the one before. */
async function expectOneEventATransaction(session: Session, id: string) {
  const events = await eventsOf(session, id);
  const versions = events.map(({ objectVersion }) => objectVersion);
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  const [{ transactions }] = await fresh(session).em.execute<[{ transactions: number }]>(
    'select count(distinct transaction_id)::int as transactions from event where object_id = ?',
    [id],
  );
  expect(transactions).toBe(events.length);
}

describe('the events of a document', () => {
  test('are named as those of invoices, one for each transaction that changes its members', async ({
    session,
    graphql,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [sent, sent]);
    await timeline.toDay(31);
    const { id } = await documentOf(timeline);
    await timeline.toDay(45);
    const [, , one, two] = await timeline.invoices();
    await voidInvoice(timeline.fresh(), { id: one?.id ?? '' });
    expect(await typesOf(session, id)).toEqual([
      ...['created', 'sent', 'overdue', 'reminder_due', 'updated'],
    ]);
    const { em } = fresh(session);
    await graphql(`mutation { payInvoice(id: "${two?.id}") { invoice { id } } }`);
    const [payment] = await em.find(Payment, { invoice: two?.id ?? '', status: 'succeeded' });
    for (const partialAmount of [10, 20]) {
      await refundPayment(timeline.fresh(), { id: payment?.id ?? '', partialAmount });
    }
    const types = (await typesOf(session, id)).slice(5);
    expect(types.filter((type) => type === 'paid')).toHaveLength(1);
    // A refund is asked for in one transaction, and settled in another.
    expect(types.slice(types.indexOf('paid') + 1)).toEqual(Array(4).fill('updated'));
    await expectOneEventATransaction(session, id);
  });

  test('show the document as a read does, and its status before', async ({ session, graphql }) => {
    const { timeline } = await aConsolidatingCustomer(session, declines, [{}, {}]);
    await timeline.toDay(31);
    const { id } = await documentOf(timeline);
    await timeline.pays('sandbox_success', { default: true });
    const events = await eventsOf(session, id);
    expect(events.map(({ type }) => type)).toContain('consolidated_invoice.paid');
    expect(events[0]).toMatchObject({
      previousAttributes: null,
      data: { status: 'awaiting_payment_confirmation' },
    });
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'consolidated_invoice.paid', data: { status: 'paid' } });
    expect(last?.previousAttributes).toMatchObject({ status: expect.any(String) });
    const names = Object.keys(last?.data ?? {}).join(' ');
    const { data } = await graphql(`{ consolidatedInvoice(id: "${id}") { ${names} } }`);
    expect(last?.data).toEqual(data.consolidatedInvoice);
    await expectOneEventATransaction(session, id);
  });

  test('reach followers of the document and of the list', async ({ session, gateway, tenant }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [sent, sent]);
    await timeline.toDay(31);
    const { id } = await documentOf(timeline);
    const one = await follow(
      gateway,
      tenant.key,
      'subscription($id: ID!) { consolidatedInvoiceChanged(id: $id) { status amountDue } }',
      { id },
    );
    const many = await follow(
      gateway,
      tenant.key,
      'subscription { consolidatedInvoices { kind ids nodes { amountDue } } }',
    );
    const snapshot = { kind: 'snapshot', ids: [id], nodes: [{ amountDue: 2_000 }] };
    expect((await many.next()).data.consolidatedInvoices).toEqual(snapshot);
    const [, , first] = await timeline.invoices();
    await voidInvoice(timeline.fresh(), { id: first?.id ?? '' });
    expect((await one.next()).data.consolidatedInvoiceChanged).toEqual({
      status: 'open',
      amountDue: 1_000,
    });
    const changed = { kind: 'changed', ids: [id], nodes: [{ amountDue: 1_000 }] };
    expect((await many.next()).data.consolidatedInvoices).toEqual(changed);
    one.leave();
    many.leave();
  });
});
