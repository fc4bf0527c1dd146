// @module-tag long
import { describe, expect } from 'vitest';
import { membersOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { aCustomer } from '../../../support/factories.ts';
import {
  aConsolidatingCustomer,
  documentsOf,
  type Timeline,
} from '../../../support/records/consolidated.ts';
import { formIn, linkOf, portalTest as test } from '../../../support/screen/portal.ts';

const declines = 'sandbox_decline_insufficient_funds';

async function documentOf(timeline: Timeline): Promise<ConsolidatedInvoice> {
  const [document] = await documentsOf(timeline);
  if (!document) throw new Error('There is no document');
  return document;
}

/** The part of a page with the documents; undefined without one. */
const partOf = (text: string) => /<h2 id="documents">.*?<\/section>/s.exec(text)?.[0];

describe('the consolidated invoices of the portal', () => {
  test('have number, date, total, state and PDF, in both languages, and are paid with one charge', async ({
    api,
    session,
    visitor,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, declines, [
      { unitPrice: 1_000 },
      { unitPrice: 234 },
    ]);
    const visit = visitor();
    await visit(await linkOf(api, timeline.customer.externalId));
    expect(partOf((await visit('/portal')).text)).toBeUndefined();
    await timeline.toDay(31);
    const { id, invoiceNumber } = await documentOf(timeline);
    const { text } = await visit('/portal');
    const part = partOf(text) ?? '';
    for (const shown of [
      'Consolidated invoices',
      invoiceNumber,
      '$12.34',
      ', open<',
      'Invoice (PDF)',
    ])
      expect(part).toContain(shown);
    expect(part).toMatch(/\$12\.34 to pay, due on \w+ \d+, \d{4}/);
    expect(part).not.toContain('Receipt');
    // Each member leads to the document.
    expect(text.split(`<a href="#${id}">Part of invoice ${invoiceNumber}</a>`)).toHaveLength(3);
    const german = visitor();
    await german(await linkOf(api, timeline.customer.externalId), undefined, {
      'accept-language': 'de',
    });
    const { text: other } = await german('/portal', undefined, { 'accept-language': 'de' });
    expect(partOf(other)).toMatch(/Sammelrechnungen.*12,34\s\$ jetzt zahlen/s);
    const paid = await visit('/portal/pay-all', formIn(part, 'pay-all'));
    expect(paid.location).toBe('/portal?done=pay');
    expect((await timeline.charges()).at(-1)).toMatchObject({ amount: 1_234 });
  });

  test('are paid without the members that are paid or void, and tell that all are void', async ({
    api,
    session,
    visitor,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, declines, [
      ...[{ unitPrice: 1_000 }, { unitPrice: 234 }],
    ]);
    await timeline.toDay(31);
    const [first, second] = await membersOf(timeline.fresh(), await documentOf(timeline));
    const visit = visitor();
    await visit(await linkOf(api, timeline.customer.externalId));
    await voidInvoice(timeline.fresh(), { id: first?.id ?? '' });
    const part = partOf((await visit('/portal')).text) ?? '';
    expect(part).toContain('$2.34 to pay');
    expect(formIn(part, 'pay-all')).toMatchObject({ ids: second?.id });
    await voidInvoice(timeline.fresh(), { id: second?.id ?? '' });
    const rest = partOf((await visit('/portal')).text) ?? '';
    expect(rest).toContain(', void<');
    expect(rest).not.toContain('pay-all');
  });

  test('are on pages of ten, the newest first, beside the pages of the invoices', async ({
    api,
    session,
    visitor,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    await timeline.toDay(31 * 12);
    const numbers = (await documentsOf(timeline)).map(({ invoiceNumber }) => invoiceNumber);
    expect(numbers.length).toBeGreaterThan(10);
    const visit = visitor();
    await visit(await linkOf(api, timeline.customer.externalId));
    const shown: string[] = [];
    const read = async (address: string): Promise<string> => {
      const { text, status } = await visit(address);
      expect(status).toBe(200);
      const part = partOf(text) ?? '';
      shown.push(...[...part.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, number]) => number ?? ''));
      return part;
    };
    const first = await read('/portal');
    expect(shown).toHaveLength(10);
    const next = /href="([^"]+)">Older consolidated invoices/.exec(first)?.[1] ?? '';
    expect(next).toMatch(/#documents$/);
    expect(await read(next)).toContain('Newer consolidated invoices');
    expect(shown).toEqual(numbers.toReversed());
    expect(await visit('/portal?documents-after=x')).toMatchObject({ status: 400 });
  });

  test('open for their customer alone: their links name one document', async ({
    api,
    session,
    visitor,
    gateway,
    graphql,
  }) => {
    const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    const { timeline: theirs } = await aConsolidatingCustomer(session, 'sandbox_success', [{}, {}]);
    for (const each of [timeline, theirs]) await each.toDay(31);
    const [own, foreign] = [await documentOf(timeline), await documentOf(theirs)];
    await aCustomer(session, { externalId: 'eve' });
    const eve = visitor();
    await eve(await linkOf(api, 'eve'));
    expect((await eve('/portal')).text).not.toContain(own.id);
    const visit = visitor();
    await visit(await linkOf(api, timeline.customer.externalId));
    const { text } = await visit('/portal');
    expect(text).not.toContain(foreign.id);
    const link = /href="([^"]+)" aria-label="Invoice \(PDF\)/.exec(partOf(text) ?? '')?.[1] ?? '';
    const address = link.replaceAll('&#38;', '&');
    const opened = await gateway.fetch(address);
    expect(opened.status).toBe(200);
    expect(opened.headers.get('content-type')).toBe('application/pdf');
    expect(address).toContain(own.id);
    const changed = address.replace(own.id, foreign.id);
    expect((await gateway.fetch(changed)).status).toBe((await gateway.fetch(`${address}x`)).status);
    expect((await gateway.fetch(changed)).status).toBeGreaterThanOrEqual(403);
    const { data } = await graphql(
      'mutation($customer: ID!) { createCustomerToken(customer: $customer) { token } }',
      { customer: theirs.customer.id },
    );
    const asked = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.createCustomerToken.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: `{ consolidatedInvoice(id: "${own.id}") { pdfURL } }` }),
    });
    const { data: found } = await asked.json();
    expect(found.consolidatedInvoice).toBeNull();
  });
});
