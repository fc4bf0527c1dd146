// @module-tag long
import { inflateSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { brokenRules, readRules } from '../../support/answers/schematron.ts';
import { test as base } from '../../support/test.ts';
import { ciiProblems } from './cii-schema.ts';

const rules = {
  ubl: readRules(new URL('ubl.sch.gz', import.meta.url)),
  cii: readRules(new URL('cii.sch.gz', import.meta.url)),
};

const seller = {
  legalName: 'Tolls & Söhne GmbH',
  address: { line1: 'Zollstraße 7', postal_code: '10557', city: 'Berlin', country: 'DE' },
  taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
  bankAccount: { iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' },
};

const links = 'eInvoice { ublURL ciiURL facturxURL problems { field message } }';
let count = 0;

const test = base
  .extend('sell', async ({ api, graphql }) => async (organization: object = {}) => {
    const input = { ...seller, taxEngine: 'rates', ...organization };
    const answer = await graphql(
      'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { id bankAccount { iban } } } }',
      { organization: input },
    );
    expect(answer.errors).toBeUndefined();
    for (const rate of [
      { name: 'VAT', ratePercentage: '19', country: 'DE' },
      { name: 'Reduced VAT', ratePercentage: '7', country: 'DE', taxCode: 'book' },
    ]) {
      await api('POST', '/tax-rates', { taxRate: { taxType: 'vat', ...rate } });
    }
  })
  .extend('priceOf', async ({ api, graphql }) => async (taxCode: string | null) => {
    const slug = `e-${++count}`;
    const product = { name: slug, slug, taxCode };
    const price = { type: 'single_payment', unitPrice: 1_000, slug };
    const { id } = (await api('POST', '/products', { product, price })).body.product;
    return (await graphql(`{ product(id: "${id}") { prices { id } } }`)).data.product.prices[0].id;
  })
  .extend(
    'invoice',
    async ({ api }) =>
      async (customer: object, lines: object[], more: object = {}) => {
        const externalId = `e-${++count}`;
        const all = { name: 'Ada', email: 'ada@example.com', externalId, ...customer };
        const created = await api('POST', '/customers', { customer: all });
        const customerId = created.body.data.customer.id;
        const draft = await api('POST', '/invoices', {
          invoice: { customerId, ...more },
          invoiceLineItems: lines.map((line) => ({ quantity: 1, description: 'Work', ...line })),
        });
        expect(draft.status).toBe(200);
        const { id } = draft.body.invoice;
        await api('POST', `/invoices/${id}/finalize`);
        return { id, line: draft.body.invoiceLineItems[0].id };
      },
  )
  .extend(
    'documents',
    async ({ gateway, graphql }) =>
      async (kind: 'invoice' | 'creditNote', id: string) => {
        const { eInvoice } = (await graphql(`{ ${kind}(id: "${id}") { ${links} } }`)).data[kind];
        expect(eInvoice.problems).toEqual([]);
        const read = async (url: string) => {
          const response = await gateway.fetch(url);
          expect(response.status).toBe(200);
          return Buffer.from(await response.arrayBuffer());
        };
        const [ubl, cii] = [await read(eInvoice.ublURL), await read(eInvoice.ciiURL)].map(String);
        return { ubl: ubl ?? '', cii: cii ?? '', facturx: () => read(eInvoice.facturxURL) };
      },
  );

const german = (more: object = {}) => ({
  billingAddress: {
    address: { line1: '1 Road', city: 'Bonn', postal_code: '53111', country: 'DE' },
  },
  ...more,
});

function expectValid({ ubl, cii }: { readonly ubl: string; readonly cii: string }) {
  expect(brokenRules(rules.ubl, ubl)).toEqual([]);
  expect(brokenRules(rules.cii, cii)).toEqual([]);
  expect(ciiProblems(cii)).toEqual([]);
}

const valueIn = (xml: string, name: string) => new RegExp(`<${name}[^>]*>([^<]*)<`).exec(xml)?.[1];

describe('the official rules accept', () => {
  test('an invoice with two rates, a discount over both and fractions, and its credit notes', async ({
    api,
    sell,
    priceOf,
    invoice,
    documents,
  }) => {
    await sell();
    const { id, line } = await invoice(
      german({ buyerReference: '04011000-12345-34' }),
      [
        { price: 1_000, quantity: 3, priceId: await priceOf(null), description: 'Pens <& "more">' },
        { price: 999, quantity: 1.5, priceId: await priceOf('book') },
        { price: -777, description: 'Goodwill' },
      ],
      { memo: 'Thank you' },
    );
    const shown = await documents('invoice', id);
    expectValid(shown);
    expect(valueIn(shown.ubl, 'cbc:PayableAmount')).toBe(
      valueIn(shown.cii, 'ram:DuePayableAmount'),
    );
    expect(shown.ubl).toContain('DE89370400440532013000');
    const credit = (creditNote: object) =>
      api('POST', '/credit-notes', {
        creditNote: { invoiceId: id, settle: 'write_off', reason: 'other', ...creditNote },
      });
    for (const note of [
      await credit({ lines: [{ invoiceLineItemId: line, amount: 500 }] }),
      await credit({ amount: 1_234 }),
    ]) {
      expect(note.status).toBe(200);
      const noted = await documents('creditNote', note.body.creditNote.id);
      expectValid(noted);
      expect(noted.ubl).toContain('<CreditNote ');
    }
  });

  test('prices that include the tax, currencies without decimals, and reverse charge', async ({
    sell,
    invoice,
    documents,
  }) => {
    await sell({ taxInclusive: true });
    const lines = [{ price: 999, quantity: 7 }, { price: 1 }, { price: -100 }];
    expectValid(await documents('invoice', (await invoice(german(), lines)).id));
    const yen = await documents(
      'invoice',
      (await invoice(german(), lines, { currency: 'JPY' })).id,
    );
    expectValid(yen);
    expect(valueIn(yen.ubl, 'cbc:PayableAmount')).toBe('6894');
    const french = {
      billingAddress: { address: { line1: '1 Rue', city: 'Paris', country: 'FR' } },
      taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }],
    };
    const reverse = await documents('invoice', (await invoice(french, lines)).id);
    expectValid(reverse);
    expect(reverse.cii).toContain('<ram:CategoryCode>AE</ram:CategoryCode>');
    const american = {
      billingAddress: { address: { line1: '1 Road', city: 'Austin', country: 'US' } },
    };
    expectValid(await documents('invoice', (await invoice(american, lines)).id));
  });
});

test('Factur-X is a PDF/A-3 with embedded fonts, an output intent, and the invoice as its alternative', async ({
  sell,
  invoice,
  documents,
}) => {
  await sell();
  const { id } = await invoice(german(), [{ price: 1_000 }]);
  const { cii, facturx } = await documents('invoice', id);
  const pdf = await facturx();
  const text = pdf.toString('latin1');
  for (const part of [
    '/AFRelationship /Alternative',
    '/AF [',
    '/OutputIntents',
    '/GTS_PDFA1',
    '/FontFile2',
    '<pdfaid:part>3</pdfaid:part>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
  ]) {
    expect(text).toContain(part);
  }
  // PDF/A refuses fonts that are not in the document.
  expect(text).not.toContain('/BaseFont /Helvetica');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, data]) => {
    try {
      return [inflateSync(Buffer.from(data ?? '', 'latin1')).toString('utf8')];
    } catch {
      return [];
    }
  });
  expect(streams).toContain(cii);
});

test('what a document lacks is listed with its field, and its links answer 409', async ({
  api,
  gateway,
  graphql,
  sell,
  invoice,
}) => {
  await sell({ address: null, taxIds: null });
  const { id } = await invoice({}, [{ price: 1_000 }]);
  const { body } = await api('GET', `/invoices/${id}/e-invoice`);
  expect(body.eInvoice).toMatchObject({ ublURL: null, ciiURL: null, facturxURL: null });
  expect(body.eInvoice.problems.map(({ field }: { field: string }) => field)).toEqual([
    'organization.address',
    'customer.billingAddress',
    'organization.taxIds',
  ]);
  await sell();
  const fine = await invoice(german(), [{ price: 1_000 }]);
  const { ublURL } = (await api('GET', `/invoices/${fine.id}/e-invoice`)).body.eInvoice;
  await api('POST', `/invoices/${fine.id}/void`);
  const gone = await gateway.fetch(ublURL);
  expect([gone.status, await gone.text()]).toEqual([409, expect.stringContaining('is void')]);
  expect((await gateway.fetch(`${ublURL}x`)).status).toBe(404);
  const gst = { name: 'GST', taxType: 'gst', ratePercentage: '5', country: 'CA' };
  await api('POST', '/tax-rates', { taxRate: gst });
  const canada = {
    billingAddress: { address: { line1: '1 Road', city: 'Toronto', country: 'CA' } },
  };
  const other = await invoice(canada, [{ price: 1_000 }]);
  const found = await graphql(`{ invoice(id: "${other.id}") { ${links} } }`);
  expect(found.data.invoice.eInvoice.problems).toMatchObject([{ field: 'invoice.taxes' }]);
});
