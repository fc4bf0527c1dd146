import { crc32 } from 'node:zlib';
import { describe, expect } from 'vitest';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { pdfText } from '../../support/answers/pdf-text.ts';
import { aDraft, anOpenInvoice, aPaidInvoice, fresh } from '../../support/factories.ts';
import { aPng, pngBytes } from '../../support/screen/pictures.ts';
import { test as base } from '../../support/test.ts';

const test = base.extend('shownAt', ({ gateway }) => async (url: string) => {
  const response = await gateway.fetch(url);
  expect(response.status).toBe(200);
  const pdf = Buffer.from(await response.arrayBuffer());
  return { pdf, text: pdfText(pdf) };
});

const updateOrganization = `mutation($organization: UpdateOrganizationInput!) {
  updateOrganization(organization: $organization) { organization {
    legalName taxIds { type value } address { line1 city country } logo { type width height dataUrl } } } }`;

const address = {
  name: null,
  line1: '1 Analytical Way',
  line2: 'Floor 3',
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
};
const billingAddress = {
  name: 'Lovelace Engines Ltd',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'invoices@lovelace.example',
  phone: '+1 555 0100',
  address,
};
const seller = {
  legalName: 'Tolls & Söhne GmbH',
  address: { line1: 'Zollstraße 7', postal_code: '10557', city: 'Berlin', country: 'DE' },
  taxIds: [{ type: 'eu_vat', value: 'de 123.456.788' }],
  logo: aPng(200, 60),
};

describe('customers', () => {
  const input = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };

  test('keep a billing address, tax ids and metadata over REST and in the graph, until null', async ({
    api,
    graphql,
  }) => {
    const taxIds = [
      { type: 'us_ein', value: '12-3456789' },
      { type: 'other', value: 'x 7' },
    ];
    const stored = [
      { type: 'us_ein', value: '123456789' },
      { type: 'other', value: 'x 7' },
    ];
    const metadata = { tier: 'gold', seats: 3 };
    const sent = { ...input, billingAddress, taxIds, metadata };
    const all = { headers: { prefer: 'include=all' } };
    const created = await api('POST', '/customers', { customer: sent }, all);
    const wanted = { billingAddress, taxIds: stored, metadata };
    expect(created).toMatchObject({ status: 200, body: { data: { customer: wanted } } });
    // Its own answer is accepted, and changes nothing.
    const { customer } = created.body.data;
    const again = await api('PUT', '/customers/ada', { customer }, all);
    expect(again).toMatchObject({ status: 200, body: { customer: wanted } });
    const other = await api('PUT', '/customers/ada', { customer: { name: 'Ada King' } }, all);
    expect(other.body.customer).toMatchObject({ ...wanted, name: 'Ada King' });
    const query = `{ customers(where: { metadata: [{ key: "tier", value: "gold" }] }) { nodes { billingAddress { name address { city } } } } }`;
    const found = await graphql(query);
    expect(found.data.customers.nodes).toEqual([
      { billingAddress: { name: billingAddress.name, address: { city: 'Springfield' } } },
    ]);
    const none = { billingAddress: null, taxIds: null, metadata: null };
    const cleared = await api('PUT', '/customers/ada', { customer: none }, all);
    expect(cleared.body.customer).toMatchObject({ ...none, taxIds: [] });
  });

  test.for([
    [
      { billingAddress: { address: { ...address, country: 'usa' } } },
      'customer.billingAddress.address.country',
    ],
    [{ billingAddress: { address: { line1: 'x' } } }, 'customer.billingAddress.address.country'],
    [{ billingAddress: { name: 'x' } }, 'customer.billingAddress.address'],
    [{ taxIds: [{ type: 'eu_vat', value: 'XX1' }] }, 'customer.taxIds.0.value'],
    [{ taxIds: [{ type: 'au_abn', value: '51824753557' }] }, 'customer.taxIds.0.value'],
    [{ taxIds: [{ type: 'zz', value: '1' }] }, 'customer.taxIds.0.type'],
    [
      { taxIds: Array.from({ length: 6 }, (_, n) => ({ type: 'other', value: `${n}` })) },
      'customer.taxIds',
    ],
    [
      {
        taxIds: [
          { type: 'other', value: '1' },
          { type: 'other', value: '1' },
        ],
      },
      'customer.taxIds',
    ],
    [{ metadata: { a: 'x'.repeat(501) } }, 'customer.metadata'],
  ] as const)('400 for %j', async ([wrong, path], { api }) => {
    const { status, body } = await api('POST', '/customers', { customer: { ...input, ...wrong } });
    expect(status).toBe(400);
    expect(body.issues[0].message).toContain(path);
    expect((await api('GET', '/customers/ada')).status).toBe(404);
  });
});

describe('documents', () => {
  test('show both parties and the logo, as they were when the invoice was finalized', async ({
    session,
    api,
    graphql,
    shownAt,
  }) => {
    const { data } = await graphql(updateOrganization, { organization: seller });
    expect(data.updateOrganization.organization).toMatchObject({
      legalName: seller.legalName,
      taxIds: [{ type: 'eu_vat', value: 'DE123456788' }],
      logo: { type: 'png', width: 200, height: 60, dataUrl: seller.logo },
    });
    await api('POST', '/customers', {
      customer: {
        name: 'Ada',
        email: 'ada@example.com',
        externalId: 'ada',
        billingAddress,
        taxIds: [{ type: 'us_ein', value: '12-3456789' }],
      },
    });
    const customerId = (await api('GET', '/customers/ada')).body.customer.id;
    const paid = await aPaidInvoice(session, { customerId } as never);
    const { pdfURL, receiptPdfURL } = (await api('GET', `/invoices/${paid.id}`)).body.invoice;
    const note = await api('POST', '/credit-notes', {
      creditNote: { invoiceId: paid.id, amount: 100, settle: 'credit', reason: 'other' },
    });
    expect(note.status).toBe(200);
    const shown = [
      'Tolls & Söhne GmbH',
      'Zollstraße 7',
      '10557 Berlin',
      'Germany',
      'VAT DE123456788',
      'Lovelace Engines Ltd',
      'Ada Lovelace',
      '1 Analytical Way',
      'Floor 3',
      'Springfield, IL 62701',
      'United States',
      'EIN 123456789',
      'invoices@lovelace.example',
    ];
    const documents = {
      invoice: pdfURL,
      receipt: receiptPdfURL,
      credit: note.body.creditNote.pdfURL,
    };
    const before = await shownAt(pdfURL);
    await graphql(updateOrganization, {
      organization: { legalName: 'New Name Inc', logo: aPng(10, 10), taxIds: null, address: null },
    });
    await api('PUT', '/customers/ada', {
      customer: { name: 'Augusta', billingAddress: null, taxIds: null },
    });
    for (const [name, url] of Object.entries(documents)) {
      const { text, pdf } = await shownAt(url);
      for (const line of shown) expect(text.split('\n'), name).toContain(line);
      expect(text).not.toMatch(/New Name|Augusta/);
      expect(pdf.includes('/Subtype /Image')).toBe(true);
    }
    expect((await shownAt(pdfURL)).text).toBe(before.text);
    const next = await anOpenInvoice(session, { customerId } as never);
    const { text } = await shownAt((await api('GET', `/invoices/${next.id}`)).body.invoice.pdfURL);
    for (const line of ['New Name Inc', 'Augusta', 'ada@example.com']) expect(text).toContain(line);
  });

  test('wrap long lines, and embed the characters that not every reader has', async ({
    session,
    graphql,
    api,
    shownAt,
  }) => {
    const long =
      'Überlange Straße der Deutsch-Polnischen Freundschaft im Hinterhof des Seitenflügels '
        .repeat(3)
        .trim();
    await graphql(updateOrganization, {
      organization: {
        legalName: long,
        address: { line1: long, line2: 'W'.repeat(255), city: long, country: 'PL' },
      },
    });
    const wide = {
      ...address,
      line1: 'ul. Świętokrzyska 3, m. 7',
      city: 'Αθήνα',
      state: long,
      country: 'GR',
    };
    await api('POST', '/customers', {
      customer: {
        name: 'Zażółć Gęślą Jaźń',
        email: 'ada@example.com',
        externalId: 'ada',
        billingAddress: { address: wide },
      },
    });
    const customerId = (await api('GET', '/customers/ada')).body.customer.id;
    const lines = Array.from({ length: 40 }, (_, n) => ({
      quantity: 1,
      price: 100 + n,
      description: n % 7 ? `Услуга ${n}` : long,
    }));
    const { id } = await anOpenInvoice(session, { customerId, lines } as never);
    const { pdf } = await shownAt((await api('GET', `/invoices/${id}`)).body.invoice.pdfURL);
    expect(pdf.includes('DejaVuSans')).toBe(true);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  });

  test('the database keeps the parties of a finalized invoice, and a draft has none', async ({
    session,
  }) => {
    const draft = await aDraft(session);
    const { em } = fresh(session);
    const partiesOf = async (id: string) =>
      (
        await em.execute<{ parties: unknown }[]>('select parties from invoice where id = ?', [id])
      )[0]?.parties;
    expect(await partiesOf(draft.id)).toBeNull();
    const { id } = await anOpenInvoice(session);
    expect(await partiesOf(id)).toMatchObject({
      seller: { name: 'Test' },
      customer: { name: 'Ada' },
    });
    for (const sql of [
      `update invoice set parties = '{}' where id = ?`,
      'update invoice set parties = null where id = ?',
    ]) {
      await expect(em.execute(sql, [id])).rejects.toThrow(/no draft any more/);
    }
    expect(await fresh(session).em.findOneOrFail(Invoice, id)).not.toHaveProperty('parties.seller');
  });
});

describe('a logo', () => {
  const big = pngBytes(4, 4, { announced: [4, 4_000] });
  const damaged = pngBytes(4, 4);
  damaged.writeUInt32BE(crc32(Buffer.from('x')), damaged.length - 20);
  const dataOf = (bytes: Buffer, type = 'png') =>
    `data:image/${type};base64,${bytes.toString('base64')}`;

  test.for([
    ['an address', 'https://example.com/logo.png'],
    ['an SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['a PNG named as a JPEG', dataOf(pngBytes(2, 2), 'jpeg')],
    [
      'a PNG with other pixels than it announces',
      dataOf(pngBytes(4, 4, { announced: [900, 900] })),
    ],
    ['a PNG that is too high', dataOf(big)],
    ['an interlaced PNG', dataOf(pngBytes(4, 4, { interlace: 1 }))],
    ['a PNG with 16 bits', dataOf(pngBytes(4, 4, { depth: 16 }))],
    ['a damaged PNG', dataOf(damaged)],
    ['a text', dataOf(Buffer.from('hello'))],
    ['too many bytes', dataOf(Buffer.alloc(100_001))],
  ] as const)('is not %s', async ([, logo], { graphql }) => {
    const { errors } = await graphql(updateOrganization, { organization: { logo } });
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['organization', 'logo'] }],
    });
    expect((await graphql('{ organization { logo { type } } }')).data.organization.logo).toBeNull();
  });

  test('is stored once, removed by null, and never changes', async ({ graphql, session }) => {
    for (const logo of [aPng(3, 3), aPng(4, 4), aPng(3, 3)]) {
      expect(
        (await graphql(updateOrganization, { organization: { logo } })).errors,
      ).toBeUndefined();
    }
    const { em, organizationId } = fresh(session);
    const count = 'select count(*)::int as count from organization_logo where organization_id = ?';
    expect(await em.execute(count, [organizationId])).toEqual([{ count: 2 }]);
    await expect(em.execute('update organization_logo set width = 5')).rejects.toThrow(
      /never changes/,
    );
    const { data } = await graphql(updateOrganization, { organization: { logo: null } });
    expect(data.updateOrganization.organization.logo).toBeNull();
  });
});
