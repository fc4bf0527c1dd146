// @module-tag long
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { KnownAnswers } from '#domain/catalog/taxing/known-answers.ts';
import { noCustomer, taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { WorkerShares } from '#domain/kernel/worker-shares.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { checkCheckouts } from '#domain/money/commands/checkout-sessions/due-checkouts.ts';
import { executeDueTopUps } from '#domain/money/commands/top-ups/execute-due-top-ups.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import { moveSubscribers } from '#domain/subscriptions/commands/subscription-adjustments/move-subscribers.ts';
import { billDueAmounts } from '#domain/subscriptions/commands/subscriptions/bill-due-amounts.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { reachTaxServices } from '#server/integrations/reach-tax-services.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import {
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aSubscription,
} from '../../../support/factories.ts';
import { freePorts } from '../../../support/fleet/free-ports.ts';
import { at } from '../../../support/instants.ts';
import {
  answering,
  rightAnswer,
  startTaxServer,
  type TaxServer,
} from '../../../support/outside/tax-service.ts';
import { aPackage, aTopUp, topUpOf } from '../../../support/records/top-ups.ts';
import { aCheckout, visitor } from '../../../support/screen/checkout.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, aTimedSubscription, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const patience = { pausesMilliseconds: [10, 10], restMilliseconds: 0 };

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'service',
  async ({}, { onCleanup }) => {
    reachTaxServices({ allowPrivate: true, timeoutMilliseconds: 30_000, ...patience });
    const service = await startTaxServer();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  },
);

/** Makes a service compute the taxes of the session's organization. */
const useService = (session: Session, { url: taxServiceUrl }: TaxServer) =>
  updateOrganization(
    fresh(session),
    { organization: { taxEngine: 'service', taxServiceUrl, taxServiceSecret: secret } },
    { allowPrivate: true },
  );

/** A customer of an organization whose taxes a service computes. */
async function aTaxedCustomer(session: Session, service: TaxServer) {
  await useService(session, service);
  return aCustomer(session);
}

/** A price move of new subscriptions, with their ids. */
async function aMove(session: Session, count: number) {
  const [fromPriceId, toPriceId] = [
    await aPriceOf(session, {}),
    await aPriceOf(session, { unitPrice: 9_000 }),
  ];
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    ids.push((await aSubscription(session, { customerId, priceId: fromPriceId })).id);
  }
  const { id } = await createPriceMove(fresh(session), {
    priceMove: { fromPriceId, toPriceId, timing: 'immediately', prorate: true },
  });
  return { ids, present: () => fresh(session).em.findOneOrFail(PriceMove, id) };
}

const createInvoice = `mutation($customerId: ID!, $lines: [InvoiceLineItemInput!]!) {
  createInvoice(invoice: { customerId: $customerId }, invoiceLineItems: $lines) {
    invoice {
      id subtotal taxAmount total taxes { name ratePercentage jurisdiction base amount }
    }
  }
}`;
const oneLine = (price: number) => [{ quantity: 1, price }];

const invoicesOf = (session: Session, customer: string) =>
  fresh(session).em.find(Invoice, { customer }, { orderBy: { invoiceNumber: 'asc' } });

describe('a tax service', () => {
  test('is asked once, with a signed question, before an invoice is written', async ({
    graphql,
    session,
    service,
  }) => {
    const { id: customerId, externalId } = await aTaxedCustomer(session, service);
    const lines = [
      { quantity: 3, price: 333, description: 'A' },
      { quantity: 1, price: 1, description: 'B' },
    ];
    const { data } = await graphql(createInvoice, { customerId, lines });
    expect(data.createInvoice.invoice).toMatchObject({
      subtotal: 1_000,
      taxAmount: 190,
      total: 1_190,
    });
    expect(data.createInvoice.invoice.taxes).toEqual([
      { name: 'VAT', ratePercentage: '19', jurisdiction: 'DE', base: 1_000, amount: 190 },
    ]);
    expect(service.calls).toHaveLength(1);
    const [{ question, headers, body }] = service.calls as [TaxServer['calls'][number]];
    expect(question).toMatchObject({
      type: 'tax.quote',
      taxInclusive: false,
      customer: { externalId, address: null },
      lines: [
        { line: 0, amount: 999 },
        { line: 1, amount: 1 },
      ],
      reductions: 0,
    });
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(content).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  test('is not awaited within a transaction', async ({ graphql, session, service }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    const open: unknown[] = [];
    service.answer = async (call, response) => {
      const { em } = fresh(session);
      open.push(
        ...(await em.execute(
          `select state from pg_stat_activity where datname = current_database() and state like '%in transaction%'`,
        )),
      );
      answering((question) => rightAnswer(question))(call, response);
    };
    await graphql(createInvoice, { customerId, lines: oneLine(777) });
    expect(service.calls).toHaveLength(1);
    expect(open).toEqual([]);
  });

  test('is asked by a dry run, and the command after it uses the same answer', async ({
    graphql,
    session,
    service,
  }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    const variables = { customerId, lines: oneLine(4_321) };
    const planned = await graphql(createInvoice, variables, { headers: { prefer: 'dry-run' } });
    expect(planned.data.createInvoice.invoice.taxAmount).toBe(821);
    expect(await invoicesOf(session, customerId)).toEqual([]);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const done = await graphql(createInvoice, variables, { headers });
    expect(done.data.createInvoice.invoice.taxAmount).toBe(821);
    expect(service.calls).toHaveLength(1);
  });

  test('is asked for a keyed request, whose repeat has the same answer', async ({
    api,
    session,
    service,
  }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    const body = { invoice: { customerId }, invoiceLineItems: oneLine(5_000) };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await api('POST', '/invoices', body, { headers });
    const second = await api('POST', '/invoices', body, { headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(service.calls).toHaveLength(1);
    expect(await invoicesOf(session, customerId)).toHaveLength(1);
  });

  test('taxes each line by its own rates, also where a credit is at another place than before', async ({
    graphql,
    session,
    service,
  }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    service.answer = answering(({ lines }) => ({
      taxAmount: 190 + 48,
      lines: lines.map(({ line }) => ({
        line,
        taxes: [{ name: 'VAT', taxType: 'vat', ratePercentage: line === 0 ? '20' : '5' }],
      })),
    }));
    const [a, b] = oneLine(1_000).concat(oneLine(1_000));
    const [credit] = oneLine(-100);
    for (const [lines, taxGroups] of [
      [
        [a, credit, b],
        [0, null, 1],
      ],
      [
        [credit, a, b],
        [null, 0, 1],
      ],
    ]) {
      const { data } = await graphql(createInvoice, { customerId, lines });
      expect(data.createInvoice.invoice.taxAmount).toBe(238);
      const written = await fresh(session).em.find(
        InvoiceLineItem,
        { invoice: data.createInvoice.invoice.id },
        { orderBy: { position: 'asc' } },
      );
      expect(written.map(({ taxGroup }) => taxGroup ?? null)).toEqual(taxGroups);
    }
    expect(service.calls).toHaveLength(1);
  });

  const wrong: [name: string, reason: RegExp, answer: TaxServer['answer'], attempts: number][] = [
    [
      'with another sum than that of its rates',
      /taxAmount is 191, and the rates of its lines amount to 190/,
      answering((question) => ({ ...rightAnswer(question), taxAmount: 191 })),
      1,
    ],
    ['without a line', /line 0 is missing/, answering(() => ({ taxAmount: 0, lines: [] })), 1],
    [
      'with a line that was not asked',
      /there is no line 7/,
      answering(() => ({ taxAmount: 0, lines: [{ line: 7, taxes: [] }] })),
      1,
    ],
    [
      'with a rate that is none',
      /lines\.0\.taxes\.0\.ratePercentage/,
      answering(({ lines }) => ({
        taxAmount: 0,
        lines: lines.map(({ line }) => ({
          line,
          taxes: [{ name: 'VAT', taxType: 'vat', ratePercentage: '19,5' }],
        })),
      })),
      1,
    ],
    ['that is no JSON', /it is not JSON/, (_, response) => void response.end('<html>'), 1],
    [
      'with the status 500',
      /it answered 500/,
      (_, response) => void response.writeHead(500).end('{}'),
      3,
    ],
    [
      'with the status 422',
      /it answered 422/,
      (_, response) => void response.writeHead(422).end('{}'),
      1,
    ],
    [
      'that leads elsewhere',
      /it answered 307/,
      (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
      1,
    ],
    ['that never comes', /it did not answer within 0.4 seconds/, () => {}, 3],
    [
      'whose body never ends',
      /it did not answer within 0.4 seconds/,
      (_, response) => void response.writeHead(200).write('{"taxAmount"'),
      3,
    ],
    [
      'that is cut',
      /it cut the connection within its answer/,
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"taxAmount"', () => response.destroy());
      },
      3,
    ],
    [
      'with more than 256,000 bytes',
      /its answer has more than 256000 bytes/,
      (_, response) => void response.end(' '.repeat(300_000)),
      3,
    ],
    [
      'that is a closed connection',
      /socket hang up|closed the connection/,
      (_, response) => void response.destroy(),
      3,
    ],
  ];

  test.for(wrong)(
    'leaves nothing written by an answer %s',
    async ([, reason, answer, attempts], { graphql, session, service }) => {
      const { id: customerId } = await aTaxedCustomer(session, service);
      service.answer = answer;
      // Only these answers are waited for in vain.
      if (String(reason).includes('0.4 seconds')) {
        reachTaxServices({ allowPrivate: true, timeoutMilliseconds: 400, ...patience });
      }
      const { errors } = await graphql(createInvoice, { customerId, lines: oneLine(1_000) });
      expect(errors[0].extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 5,
        issues: [{ code: 'TAX_SERVICE_FAILED', path: [] }],
      });
      expect(errors[0].message).toMatch(reason);
      expect(service.calls).toHaveLength(attempts);
      expect(await invoicesOf(session, customerId)).toEqual([]);
    },
  );

  test('is asked again after an answer 503', async ({ graphql, session, service }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    service.answer = (_, response) => {
      service.answer = answering((question) => rightAnswer(question));
      response.writeHead(503).end();
    };
    const { data } = await graphql(createInvoice, { customerId, lines: oneLine(1_000) });
    expect(data.createInvoice.invoice.taxAmount).toBe(190);
    expect(service.calls).toHaveLength(2);
  });

  test('at an address that is not public is refused, and never asked', async ({
    graphql,
    session,
    service,
  }) => {
    await useService(session, service);
    reachTaxServices({ allowPrivate: false, ...patience });
    const { id: customerId } = await aCustomer(session);
    const { errors } = await graphql(createInvoice, { customerId, lines: oneLine(1_000) });
    expect(errors[0].message).toMatch(/127\.0\.0\.1 is not a public address/);
    expect(service.calls).toEqual([]);
    const organization = { taxServiceUrl: 'http://localhost:1/quotes' };
    await expect(updateOrganization(fresh(session), { organization })).rejects.toMatchObject({
      issues: [{ path: ['organization', 'taxServiceUrl'] }],
    });
  });

  test('that does not answer is not asked again for a moment', async ({
    graphql,
    session,
    service,
  }) => {
    const { id: customerId } = await aTaxedCustomer(session, service);
    const refuse =
      (status: number): TaxServer['answer'] =>
      (_, response) =>
        void response.writeHead(status).end();
    let all = 0;
    for (const [answer, calls] of [
      [(_, response) => void response.destroy(), 3],
      [refuse(503), 3],
      [refuse(401), 1],
      // This one concerns its question alone.
      [refuse(422), 2],
    ] as [TaxServer['answer'], number][]) {
      reachTaxServices({ allowPrivate: true, ...patience, restMilliseconds: 60_000 });
      service.answer = answer;
      for (const price of [1_000, 2_000]) {
        const { errors } = await graphql(createInvoice, { customerId, lines: oneLine(price) });
        expect(errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
      }
      all += calls;
      expect(service.calls).toHaveLength(all);
    }
  });

  test('is asked once by a command whose amounts change a little, and at most 20 times by any', async ({
    session,
    service,
  }) => {
    await useService(session, service);
    const taxed = (next: () => number) =>
      command(fresh(session), (session) => taxRuleOf(session, noCustomer, [{ amount: next() }]));
    let amount = 1_000_000;
    expect(await taxed(() => (amount += 100))).toMatchObject({ ratePercentage: '19' });
    expect(service.calls).toHaveLength(1);
    await expect(taxed(() => (amount += 100_000_000))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('the amounts have changed with each attempt'),
    });
    expect(service.calls).toHaveLength(21);
  });

  test('has its failures explained to secret keys and the log, and not to customers', async ({
    session,
    service,
  }) => {
    await useService(session, service);
    service.answer = (_, response) => void response.writeHead(422).end();
    const reports: unknown[] = [];
    const onFailure = (error: unknown) => void reports.push(error);
    const customer = { ...fresh(session), keyType: 'customer_token' as const, onFailure };
    await expect(taxRuleOf(customer, noCustomer, [{ amount: 1 }])).rejects.toMatchObject({
      message: 'The tax service gave no usable answer. Nothing is written; try again',
    });
    expect(reports).toMatchObject([{ message: expect.stringContaining('it answered 422') }]);
  });

  test('is waited for by 100 questions besides those that are open; a further one is refused at once', async ({
    session,
    service,
  }) => {
    await useService(session, service);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const right = answering((question) => rightAnswer(question));
    service.answer = async (call, response) => {
      await released;
      right(call, response);
    };
    const refusals: unknown[] = [];
    const asked = Array.from({ length: 109 }, (_, place) =>
      taxRuleOf(fresh(session), noCustomer, [{ amount: place + 1 }]).catch((error) =>
        refusals.push(error),
      ),
    );
    await Promise.race(asked);
    expect(refusals).toMatchObject([
      {
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('100 questions wait for it already'),
      },
    ]);
    release();
    await Promise.all(asked);
    expect(refusals).toHaveLength(1);
    expect(service.calls).toHaveLength(108);
  });

  test('must have an address and a secret', async ({ graphql }) => {
    const query = `mutation($organization: UpdateOrganizationInput!) {
      updateOrganization(organization: $organization) { organization { taxEngine taxServiceUrl } }
    }`;
    const set = (organization: object) => graphql(query, { organization });
    const taxServiceUrl = 'https://taxes.example.com/quotes';
    for (const [organization, field] of [
      [{ taxEngine: 'service' }, 'taxServiceUrl'],
      [{ taxEngine: 'service', taxServiceUrl }, 'taxServiceSecret'],
      [{ taxServiceSecret: 'whsec_short' }, 'taxServiceSecret'],
      [{ taxServiceUrl: 'https://me:secret@taxes.example.com' }, 'taxServiceUrl'],
    ] as const) {
      const { errors } = await set(organization);
      expect(errors[0].extensions.issues).toMatchObject([{ path: ['organization', field] }]);
    }
    const all = { taxEngine: 'service', taxServiceUrl, taxServiceSecret: secret };
    expect((await set(all)).data.updateOrganization.organization).toEqual({
      taxEngine: 'service',
      taxServiceUrl,
    });
    const { errors } = await set({ taxServiceUrl: null });
    expect(errors[0].extensions.issues).toMatchObject([{ code: 'REQUIRED' }]);
    const removed = await set({ taxEngine: 'rule', taxServiceUrl: null, taxServiceSecret: null });
    expect(removed.data.updateOrganization.organization).toEqual({
      taxEngine: 'rule',
      taxServiceUrl: null,
    });
  });
});

describe('the invoice of a period', () => {
  test('has the taxes of the service, as its preview, its explanation and its credit note', async ({
    graphql,
    session,
    service,
  }) => {
    await useService(session, service);
    const { id, clockId, customerId } = await aTimedSubscription(session, {
      paid: true,
      unitPrice: 3_333,
    });
    const preview = await graphql(
      `query($id: ID!) { upcomingInvoice(subscription: $id) { taxAmount taxes { base amount } } }`,
      { id },
    );
    expect(preview.data.upcomingInvoice).toEqual({
      taxAmount: 633,
      taxes: [{ base: 3_333, amount: 633 }],
    });
    await advance(session, clockId, '2026-03-01');
    const invoices = await invoicesOf(session, customerId);
    expect(invoices.map(({ total, status }) => [total, status])).toEqual([
      [3_966, 'paid'],
      [3_966, 'paid'],
    ]);
    const asked = service.calls.length;
    const { data } = await graphql(
      `query($id: ID!) { explainInvoice(id: $id) { verified differences } }`,
      { id: invoices[0]?.id },
    );
    expect(data.explainInvoice).toEqual({ verified: true, differences: [] });
    const note = await graphql(
      `mutation($creditNote: CreateCreditNoteInput!) {
        createCreditNote(creditNote: $creditNote) { creditNote { total taxAmount } }
      }`,
      {
        creditNote: { invoiceId: invoices[0]?.id, reason: 'other', whole: true, settle: 'credit' },
      },
    );
    expect(note.data.createCreditNote.creditNote).toEqual({ total: 3_966, taxAmount: 633 });
    expect(service.calls).toHaveLength(asked);
  });

  test('waits for a service that fails, and is written later', async ({ session, service }) => {
    const { clockId, customerId } = await aTimedSubscription(session, { paid: true });
    await useService(session, service);
    service.answer = (_, response) => void response.writeHead(500).end();
    await expect(advance(session, clockId, '2026-03-01')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await invoicesOf(session, customerId)).toHaveLength(1);
    const run = { customerId, status: 'scheduled' } as const;
    expect((await fresh(session).em.findOneOrFail(BillingRun, run)).errorDetails).toMatch(
      /it answered 500/,
    );
    service.answer = answering((question) => rightAnswer(question));
    await advance(session, clockId, '2026-03-01');
    const [, second] = await invoicesOf(session, customerId);
    expect(second).toMatchObject({ taxAmount: 190, status: 'paid' });
  });

  test('asks in batches; one without an answer waits with the reason, and the others are written', async ({
    database,
    session,
    service,
  }) => {
    const begin = new Date('2026-01-01T00:00:00Z');
    const day = (days: number) => new Date(begin.getTime() + days * 86_400_000);
    const customers: string[] = [];
    for (let place = 0; place < 12; place++) {
      const then = at(session, begin);
      const { id: customerId } = await aCustomer(then);
      await aPaymentMethod(then, customerId);
      const unitPrice = 1_000 + place;
      const priceId = await aPriceOf(then, { unitPrice, intervalUnit: 'day' });
      await createSubscription(at(session, begin), { customerId, priceId });
      customers.push(customerId);
    }
    await useService(session, service);
    const right = answering((question) => rightAnswer(question));
    service.answer = (call, response) => {
      const isRefused = call.question.lines[0]?.amount === 1_003;
      if (isRefused) response.writeHead(422).end();
      else setTimeout(() => right(call, response), 20);
    };
    const em = () => database.orm.em.fork();
    const failures: unknown[] = [];
    const sweep = (now: Date) =>
      executeDueRuns(em(), now, 'sweep', (error) => void failures.push(error));
    await transitionDueSubscriptions(em(), day(1.5), 'sweep');
    await sweep(day(1.5));
    expect(failures).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);
    expect(service.most()).toBeGreaterThan(1);
    expect(service.most()).toBeLessThanOrEqual(8);
    const taxesOf = async (customer: string) =>
      (await invoicesOf(session, customer)).map(({ taxAmount }) => taxAmount);
    const taxes = await Promise.all(customers.map(taxesOf));
    expect(taxes).toEqual(
      customers.map((_, place) => (place === 3 ? [0] : [0, Math.round((1_000 + place) * 0.19)])),
    );
    // One question each: a batch that is rolled back does not ask again.
    expect(service.calls).toHaveLength(12);
    const waiting = await fresh(session).em.findOneOrFail(BillingRun, {
      customerId: customers[3] ?? '',
      status: 'scheduled',
    });
    expect(waiting.errorDetails).toMatch(/it answered 422/);
    service.answer = right;
    await sweep(new Date((waiting.dueAt as Date).getTime() - 1));
    expect(await taxesOf(customers[3] ?? '')).toEqual([0]);
    await sweep(waiting.dueAt as Date);
    expect(await taxesOf(customers[3] ?? '')).toEqual([0, 191]);
    const done = await fresh(session).em.findOneOrFail(BillingRun, waiting.id);
    expect(done).toMatchObject({ status: 'succeeded', errorDetails: null });
  });
});

describe('an adjustment', () => {
  test('states the same taxes in its preview, its dry run and its invoice, and asks outside of locks', async ({
    api,
    session,
    service,
  }) => {
    await useService(session, service);
    const { monthly, id, invoices } = await anAdjustable(session, { unitPrice: 1_000 });
    const priceId = await monthly(3_003);
    const body = {
      adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId, quantity: 1 }] },
    };
    const preview = await api('POST', `/subscriptions/${id}/preview-adjust`, body, {
      headers: { prefer: 'include=all' },
    });
    expect(preview.body).toMatchObject({ canAdjust: true, amountDue: 2_384 });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const dry = { prefer: 'dry-run' };
    const planned = await api('POST', `/subscriptions/${id}/adjust`, body, { headers: dry });
    expect(planned.status).toBe(200);
    const asked = service.calls.length;
    const done = await api('POST', `/subscriptions/${id}/adjust`, body, { headers });
    expect(done.status).toBe(200);
    expect(service.calls).toHaveLength(asked);
    const all = await invoices();
    expect(all.map(({ total, taxAmount }) => [total, taxAmount])).toEqual([
      [1_190, 190],
      [2_384, 381],
    ]);
    service.answer = (_, response) => void response.writeHead(500).end();
    const more = { newSubscriptionItems: [{ priceId: await monthly(9_009), quantity: 1 }] };
    const refused = await api('POST', `/subscriptions/${id}/adjust`, {
      adjustment: { timing: 'immediately', ...more },
    });
    expect(refused).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('it answered 500') },
    });
    expect(await invoices()).toHaveLength(2);
  });
});

describe('work that is due', () => {
  test('waits 5 minutes where the service fails, so that no sweep reads it again at once', async ({
    database,
    session,
    service,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const { slug, meterId } = await aMeteredSubscription(session, {
      unitPrice: 1,
      usageEventsPerUnit: 1,
    });
    const priceId = await aPriceOf(session, {});
    const { id } = await aSubscription(session, { customerId, priceId, billAt: 1_000 });
    await use(session, { id, slug }, 1_200);
    const bought = await aPackage(session, { slug, meterId }, 5_000);
    const topUp = await aTopUp(session, { id, slug }, { priceId: bought, threshold: 20 });
    await useService(session, service);
    const failures: unknown[] = [];
    const sweep = async (now: Date) => {
      for (const work of [billDueAmounts, executeDueTopUps])
        await work(database.orm.em.fork(), now, 'sweep', (error) => void failures.push(error));
    };
    service.answer = (_, response) => void response.writeHead(422).end();
    const now = new Date(Date.now() + 1_000);
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    await sweep(now);
    await sweep(later(4));
    expect(failures).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE' },
      { code: 'SERVICE_UNAVAILABLE' },
    ]);
    expect(service.calls).toHaveLength(2);
    service.answer = answering((question) => rightAnswer(question));
    await sweep(later(5));
    expect(failures).toHaveLength(2);
    const invoices = await invoicesOf(session, customerId);
    expect(invoices.map(({ purpose, taxAmount }) => [purpose, taxAmount]).slice(1)).toEqual([
      ['threshold', 228],
      ['manual', 95],
    ]);
    expect(await topUpOf(session, topUp)).toMatchObject({ active: true, dueAt: null });
  });

  test('waits for a slow service only for a while, and the rest of an organization waits 5 minutes', async ({
    database,
    session,
    service,
  }) => {
    const { slug } = await aMeteredSubscription(session, { unitPrice: 1, usageEventsPerUnit: 1 });
    const customers: string[] = [];
    for (const used of [1_200, 1_300]) {
      const { id: customerId } = await aCustomer(session);
      await aPaymentMethod(session, customerId);
      const priceId = await aPriceOf(session, {});
      const { id } = await aSubscription(session, { customerId, priceId, billAt: 1_000 });
      await use(session, { id, slug }, used);
      customers.push(customerId);
    }
    await useService(session, service);
    reachTaxServices({ allowPrivate: true, ...patience, sweepMilliseconds: 0 });
    const failures: unknown[] = [];
    const billed = async (now: Date) => {
      await billDueAmounts(database.orm.em.fork(), now, 'sweep', (error) => {
        failures.push(error);
      });
      const all = await Promise.all(customers.map((id) => invoicesOf(session, id)));
      return all.map((own) => own.filter(({ purpose }) => purpose === 'threshold').length);
    };
    const now = new Date(Date.now() + 1_000);
    expect((await billed(now)).sort()).toEqual([0, 1]);
    expect(failures).toMatchObject([
      { message: expect.stringContaining('has waited for it too long'), concerns: 'turn' },
    ]);
    expect(service.calls).toHaveLength(1);
    expect(await billed(new Date(now.getTime() + 5 * 60_000))).toEqual([1, 1]);
    expect(failures).toHaveLength(1);
  });

  test('is reached behind a full page of checkouts that come before it', async ({
    database,
    session,
  }) => {
    const { em } = fresh(session);
    const product = await aProduct(session, { price: { unitPrice: 2_000 } });
    const [price] = await product.prices.loadItems();
    for (let place = 0; place < 201; place++) {
      const expires = new Date(Date.now() - 1_000);
      em.create(CheckoutSession, { type: 'product', price: price?.id as never, expires });
    }
    await em.flush();
    const onFailure = (error: unknown) => {
      throw error;
    };
    expect(await checkCheckouts(database.orm.em.fork(), new Date(), 'sweep', onFailure)).toBe(201);
    expect(await fresh(session).em.count(CheckoutSession, { status: 'open' })).toBe(0);
  });
});

describe('a move of subscribers to another price', () => {
  test('waits for a service that fails, and continues at the same subscription', async ({
    database,
    session,
    service,
  }) => {
    const { present } = await aMove(session, 1);
    await useService(session, service);
    service.answer = (_, response) => void response.writeHead(422).end();
    const failures: unknown[] = [];
    const sweep = () =>
      moveSubscribers(database.orm.em.fork(), new Date(), 'sweep', (error) => {
        failures.push(error);
      });
    expect(await sweep()).toBe(0);
    expect(failures).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);
    expect(await present()).toMatchObject({ status: 'running', failedCount: 0 });
    service.answer = answering((question) => rightAnswer(question));
    await fresh(session).em.execute('update price_move set lease_until = null, retry_at = null');
    expect(await sweep()).toBe(1);
    expect(failures).toHaveLength(1);
  });
});

test('a move of subscribers names one whose question is refused 3 times, and moves the others', async ({
  database,
  session,
  service,
}) => {
  const { ids, present } = await aMove(session, 3);
  await useService(session, service);
  const [, refused = ''] = ids.toSorted();
  const subscription = await fresh(session).em.findOneOrFail(Subscription, refused, {
    populate: ['customer'],
  });
  const { externalId } = subscription.customer.$;
  const right = answering((question) => rightAnswer(question));
  service.answer = (call, response) => {
    if (call.question.customer.externalId === externalId) response.writeHead(422).end();
    else right(call, response);
  };
  const failures: unknown[] = [];
  for (const movedCount of [1, 1, 2]) {
    await fresh(session).em.execute('update price_move set lease_until = null, retry_at = null');
    await moveSubscribers(database.orm.em.fork(), new Date(), 'sweep', (error) => {
      failures.push(error);
    });
    expect(await present()).toMatchObject({ movedCount });
  }
  expect(failures).toHaveLength(2);
  expect(await present()).toMatchObject({
    status: 'completed',
    movedCount: 2,
    failedCount: 1,
    failures: [{ subscriptionId: refused, reason: expect.stringContaining('it answered 422') }],
  });
});

describe('known answers', () => {
  test('of one organization have a limit, and displace none of another', () => {
    const known = new KnownAnswers<number>();
    known.set('org_1', 'first', 1, 9_000_000);
    known.set('org_2', 'other', 2, 9_000_000);
    known.set('org_1', 'second', 3, 9_000_000);
    expect(known.get('org_1', 'first')).toBeUndefined();
    expect(known.get('org_1', 'second')).toBe(3);
    expect(known.get('org_2', 'other')).toBe(2);
  });
});

describe('workers of a sweep', () => {
  test('are not all occupied by one tenant, and not again by a slow one', () => {
    const shares = new WorkerShares(2, -1);
    const first = shares.begin(['org_1']);
    expect(shares.full()).toEqual([]);
    shares.begin(['org_1', 'org_2']);
    expect(shares.full()).toEqual(['org_1']);
    first();
    expect(shares.full()).toEqual(['org_1']);
    const patient = new WorkerShares(2, 60_000);
    patient.begin(['org_1'])();
    expect(patient.full()).toEqual([]);
  });
});

describe('a checkout page', () => {
  test('is 503 while the service fails, and sells with its taxes after that', async ({
    api,
    gateway,
    session,
    service,
  }) => {
    const { id: customerId, externalId } = await aTaxedCustomer(session, service);
    const product = await aProduct(session, { price: { unitPrice: 2_000 } });
    const [price] = await product.prices.loadItems();
    const { url } = await aCheckout(api, { customerExternalId: externalId, priceId: price?.id });
    const visit = visitor(gateway);
    service.answer = (_, response) => void response.writeHead(500).end();
    for (const page of [await visit(url), await visit(url, {})]) {
      expect(page.status).toBe(503);
      expect(page.headers.get('retry-after')).toBe('5');
    }
    expect(await invoicesOf(session, customerId)).toEqual([]);
    service.answer = answering((question) => rightAnswer(question));
    expect((await visit(url)).text).toContain('23.80');
    expect(service.calls.at(-1)?.question).toMatchObject({
      currency: price?.currency,
      lines: [{ amount: 2_000, priceId: price?.id }],
    });
    expect((await visit(url, {})).status).toBe(200);
    const [invoice] = await invoicesOf(session, customerId);
    expect(invoice).toMatchObject({ total: 2_380, taxAmount: 380, status: 'paid' });
  });
});

describe('the reference server of the guide', () => {
  test('answers the questions of the service, and refuses those that others sign', async ({
    graphql,
    session,
    service,
    onTestFinished,
  }) => {
    const guide = new URL('../../../../rest/guides/tax-services.md', import.meta.url);
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8')) ?? [];
    const [port] = await freePorts(1);
    const env = { PORT: String(port), TAX_SECRET: secret };
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env });
    onTestFinished(() => void child.kill());
    const url = `http://127.0.0.1:${port}/quotes`;
    reachTaxServices({
      allowPrivate: true,
      pausesMilliseconds: Array(200).fill(50),
      restMilliseconds: 0,
    });
    await useService(session, { ...service, url });
    const { id: customerId } = await aCustomer(session);
    const { data } = await graphql(createInvoice, { customerId, lines: oneLine(1_999) });
    expect(data.createInvoice.invoice).toMatchObject({ taxAmount: 400, total: 2_399 });
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    await updateOrganization(fresh(session), { organization: { taxServiceSecret: other } });
    const { errors } = await graphql(createInvoice, { customerId, lines: oneLine(1_998) });
    expect(errors[0].message).toMatch(/it answered 401/);
  });
});
