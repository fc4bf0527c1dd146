import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { recordUsageEvent } from '#domain/recording/commands/usage-events/record-usage-event.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, fresh } from '../../../support/timeline.ts';

const midnight = (day: string) => `${day}T00:00:00.000Z`;

const invoicesOf = async (session: Session, subscription: string) =>
  (
    await fresh(session).em.find(
      Invoice,
      { subscription },
      { orderBy: { createdAt: 'asc', position: 'asc' } },
    )
  ).map(({ subtotal, invoiceDate }) => `${invoiceDate.toISOString().slice(0, 13)} ${subtotal}`);

/** A monthly subscription for 3000 from 10 April, with a meter of which each unit costs 5. */
async function metered(session: Session) {
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id, { isDefault: true, unitPrice: 5, usageEventsPerUnit: 1 });
  const it = await aTimedSubscription(session, {
    paid: true,
    unitPrice: 3_000,
    from: midnight('2026-04-10'),
  });
  let count = 0;
  const use = (amount: number, usageDate: string) =>
    recordUsageEvent(fresh(session), {
      usageEvent: {
        subscriptionId: it.id,
        usageMeterSlug: meter.slug,
        transactionId: `call-${++count}`,
        amount: String(amount),
        usageDate: new Date(midnight(usageDate)),
      },
    });
  return { ...it, use };
}

describe('a draft window', () => {
  test('delays the invoice, and usage that is reported meanwhile counts for its period', async ({
    session,
  }) => {
    await updateOrganization(fresh(session), { organization: { draftWindowHours: 72 } });
    const { id, clockId, use } = await metered(session);
    // The first payment does not wait.
    expect(await invoicesOf(session, id)).toEqual(['2026-04-10T00 3000']);
    await advance(session, clockId, midnight('2026-04-20'));
    await use(10, '2026-04-20');
    await advance(session, clockId, midnight('2026-05-12'));
    expect(await invoicesOf(session, id)).toHaveLength(1);
    await use(100, '2026-05-09');
    // Usage of the new period waits for its own invoice.
    await use(1_000, '2026-05-11');
    await advance(session, clockId, midnight('2026-05-14'));
    expect(await invoicesOf(session, id)).toEqual(['2026-04-10T00 3000', '2026-05-13T00 3550']);
    await use(10_000, '2026-05-09');
    await advance(session, clockId, midnight('2026-06-14'));
    expect((await invoicesOf(session, id))[2]).toBe('2026-06-13T00 58000');
  });

  test('of a subscription replaces that of the organization, and a cancellation at the end of the period still charges it', async ({
    session,
  }) => {
    const { id, clockId } = await metered(session);
    await updateSubscription(fresh(session), { id, subscription: { draftWindowHours: 48 } });
    await advance(session, clockId, midnight('2026-05-11'));
    const timing = 'at_end_of_current_billing_period' as const;
    await cancelSubscription(fresh(session), { id, cancellation: { timing } });
    await advance(session, clockId, midnight('2026-06-20'));
    expect(await invoicesOf(session, id)).toEqual(['2026-04-10T00 3000', '2026-05-12T00 3000']);
  });
});
