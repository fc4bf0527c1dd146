import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import type { Session } from '#domain/kernel/session.ts';
import { largestUsage } from '#domain/metering/ledger/largest-usage.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const refusal = (...path: (string | number)[]) => ({
  code: 'BAD_REQUEST',
  issues: [{ path, message: expect.stringContaining(`more than ${largestUsage}`) }],
});

const most = Math.floor(largestUsage / 100);

const atPrice = (session: Session, usageMeterId: string, unitPrice: number) =>
  createPrice(fresh(session), {
    price: {
      type: 'usage',
      usageMeterId,
      unitPrice,
      usageEventsPerUnit: 1,
      intervalUnit: 'month',
    },
  });

describe('usage that amounts to more than an invoice has room for', () => {
  test('is refused by one event, which states why', async ({ session, api }) => {
    const it = await aBilled(session);
    const { status, body } = await api('POST', '/usage-events', {
      usageEvent: {
        subscriptionId: it.id,
        usageMeterSlug: it.slug,
        transactionId: 'too-much',
        amount: 999_999_999_999_999,
      },
    });
    const message = expect.stringMatching(`^usageEvent.amount: .* more than ${largestUsage}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { issues: [{ message }] } });
    expect(await api('GET', '/usage-events')).toMatchObject({ body: { data: [], total: 0 } });
  });

  test('is refused by the event that goes beyond it, of one call or of several', async ({
    session,
  }) => {
    const it = await aBilled(session);
    await use(session, it, most - 10);
    await expect(use(session, it, 5, 6)).rejects.toMatchObject(refusal('usageEvents', 1, 'amount'));
    const [event] = await use(session, it, 10);
    await expect(use(session, it, 1)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(it.replace(event?.id, 11)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await it.replace(event?.id, 9);
    await use(session, it, 1);
    await expectLedgersToAgree(session);
  });

  test('is refused over all prices, and free usage counts as 1', async ({ session }) => {
    const it = await aBilled(session);
    const [dear, free] = [
      await atPrice(session, it.meterId, 10 ** 6),
      await atPrice(session, it.meterId, 0),
    ];
    const at = (priceId: string, amount: number) => ({
      amount: String(amount),
      priceId,
      usageMeterSlug: null,
    });
    await use(session, it, at(dear.id, 2 * 10 ** 9));
    await expect(use(session, it, most - 10 ** 9)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await use(session, it, at(free.id, 10 ** 14));
    await expect(use(session, it, at(free.id, 4 * 10 ** 15))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await it.to('2026-02-02');
    expect((await it.invoices()).at(-1)).toMatchObject({ total: 2 * 10 ** 15 + 2_000 });
  });

  test('is refused over periods of which nothing is billed, and nothing gets stuck', async ({
    session,
  }) => {
    const organization = { taxType: 'vat', taxRatePercentage: '100' } as const;
    await updateOrganization(fresh(session), { organization });
    const it = await aBilled(session);
    await use(session, it, most);
    await it.to('2026-02-02');
    const billed = (await it.invoices()).at(-1);
    expect(billed).toMatchObject({ total: 2 * (most * 100 + 2_000), status: 'paid' });
    expect(Number.isSafeInteger(billed?.total)).toBe(true);
    await use(session, it, most);
    await it.to('2026-03-02');
    expect((await it.totals()).length).toBe(3);
    await expectLedgersToAgree(session);
  });

  test('is refused where taking an event back would make it so', async ({ session }) => {
    const it = await aBilled(session, { aggregationType: 'last' });
    await use(session, it, { amount: String(most), usageDate: new Date('2026-01-01T01:00:00Z') });
    const [last] = await use(session, it, 1);
    const dear = await atPrice(session, it.meterId, 100);
    await use(session, it, { amount: '10', priceId: dear.id, usageMeterSlug: null });
    await expect(voidEvent(session, last?.id ?? '')).rejects.toMatchObject(refusal('id'));
    await expectLedgersToAgree(session);
  });

  test('waits for the next invoice where the plan leaves no room for it', async ({ session }) => {
    const price = 4_000_000_000_000_000;
    const it = await aBilled(session, { price });
    await use(session, it, 10 ** 13);
    await it.to('2026-02-02');
    expect(await it.totals()).toEqual([price, price]);
    await it.cancel();
    await it.to('2026-02-03');
    expect(await it.totals()).toEqual([price, price, 10 ** 15]);
    await expectLedgersToAgree(session);
  });
});
