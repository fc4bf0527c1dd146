import { describe, expect } from 'vitest';
import { aDraft, anOpenInvoice, aPaidInvoice } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

describe('POST /invoices/{id}/finalize, /void and /mark-uncollectible', () => {
  test.for([
    ['finalize', 'open'],
    ['void', 'void'],
  ] as const)(
    '200: %s makes a draft %s, once and again',
    async ([verb, status], { api, session }) => {
      const { id } = await aDraft(session);
      for (let time = 0; time < 2; time++) {
        const answer = await api('POST', `/invoices/${id}/${verb}`);
        expect(answer).toMatchObject({ status: 200, body: { invoice: { id, status } } });
        expect(answer.body.invoiceLineItems).toHaveLength(1);
      }
    },
  );

  test('200: finalize makes one of which nothing is left to be paid paid', async ({
    api,
    session,
  }) => {
    const { id } = await aDraft(session, { lines: [{ quantity: 1, price: 0 }] });
    const answer = await api('POST', `/invoices/${id}/finalize`);
    expect(answer.body.invoice).toMatchObject({ status: 'paid', subtotal: 0 });
    const { body } = await api('GET', '/events?types=invoice.paid');
    expect(body.data).toMatchObject([{ objectId: id, data: { status: 'paid' } }]);
  });

  test.for([
    ['void', 'void'],
    ['mark-uncollectible', 'uncollectible'],
  ] as const)(
    '200: %s makes an open one %s, which is not paid any more',
    async ([verb, status], { api, session }) => {
      const { id } = await anOpenInvoice(session);
      const answer = await api('POST', `/invoices/${id}/${verb}`);
      expect(answer).toMatchObject({ status: 200, body: { invoice: { id, status } } });
      expect(await api('POST', `/invoices/${id}/pay`, {})).toMatchObject({
        status: 400,
        body: { issues: [{ message: `id: ${id} is ${status}, not open` }] },
      });
    },
  );

  test.for([
    ['finalize', aPaidInvoice],
    ['void', aPaidInvoice],
    ['mark-uncollectible', aPaidInvoice],
    ['mark-uncollectible', aDraft],
  ] as const)('400 for %s where it may not go (%o)', async ([verb, make], { api, session }) => {
    const { id, status } = await make(session);
    expect(await api('POST', `/invoices/${id}/${verb}`)).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining(`id: ${id} is ${status}`) }] },
    });
    const { body } = await api('GET', `/invoices/${id}`);
    expect(body.invoice.status).toBe(status);
  });
});
