import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoices/explain-invoice.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { detachUsageEventMonths } from '#domain/usage-events/usage-event-months.ts';
import { aPaymentMethod, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';
import { advance } from '../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../support/usage.ts';

/** How the invoices of a subscription explain their usage, the oldest first. */
async function explained(session: Session, { id }: { id: string }) {
  const { em } = fresh(session);
  const invoices = await em.find(
    Invoice,
    { subscription: id },
    { orderBy: { invoiceNumber: 'asc' } },
  );
  const all = await Promise.all(invoices.map(({ id }) => explainInvoice(fresh(session), id)));
  return all.flatMap(({ verified, differences, lines }) => {
    const usage = lines.flatMap(({ usage }) => usage);
    const steps = lines.filter(({ usage }) => usage.length > 0).flatMap(({ steps }) => steps);
    return usage.length > 0 ? [{ verified, differences, usage, steps }] : [];
  });
}

describe('what a usage line was made of', () => {
  test.for(['sum', 'count', 'max', 'last', 'count_distinct_properties'] as const)(
    'stays as it was when events are voided later (%s)',
    async (aggregationType, { session }) => {
      const user = await aMeteredSubscription(session, { aggregationType });
      await grant(session, user, 1);
      const [, event] = await use(
        session,
        user,
        { amount: '40', properties: { user: 1 } },
        { amount: '100', properties: { user: 2 } },
      );
      await advance(session, user.clockId, '2026-03-01');
      const before = await explained(session, user);
      expect(before).toMatchObject([{ verified: true, usage: [{ covered: '1' }] }]);
      await voidEvent(session, event?.id ?? '');
      expect(await explained(session, user)).toEqual(before);
      await advance(session, user.clockId, '2026-04-01');
      const [first, correction] = await explained(session, user);
      expect(first).toEqual(before[0]);
      expect(correction).toMatchObject({
        verified: true,
        usage: [{ isCorrection: true, events: { count: 1, firstId: event?.id } }],
      });
    },
  );

  test('stays as it was where it is a correction, and another one follows', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [one, other] = await use(session, user, 60, 40);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, one?.id ?? '');
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-04-01');
    const before = await explained(session, user);
    await voidEvent(session, other?.id ?? '');
    expect(await explained(session, user)).toEqual(before);
    await advance(session, user.clockId, '2026-05-01');
    const corrections = (await explained(session, user))
      .flatMap(({ usage }) => usage)
      .filter(({ isCorrection }) => isCorrection);
    expect(corrections.map(({ events }) => events.firstId)).toEqual([one?.id, other?.id]);
  });

  test('stays as it was for usage before the first period', async ({ session }) => {
    const user = await aMeteredSubscription(session, { paid: false });
    const [event] = await use(session, user, 100, 10);
    await aPaymentMethod(session, user.customerId, { default: true });
    await advance(session, user.clockId, '2026-03-01');
    const before = await explained(session, user);
    expect(before).toMatchObject([{ verified: true, usage: [{ events: { count: 2 } }] }]);
    await voidEvent(session, event?.id ?? '');
    expect(await explained(session, user)).toEqual(before);
    await advance(session, user.clockId, '2026-04-01');
    expect((await explained(session, user)).at(-1)).toMatchObject({
      verified: true,
      usage: [{ isCorrection: true, billed: '-100', events: { count: 1 } }],
    });
  });

  test('stays as it was when more is reported for a subscription that has ended', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-02-10');
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    const before = await explained(session, user);
    expect(before).toMatchObject([{ verified: true, usage: [{ events: { count: 1 } }] }]);
    await advance(session, user.clockId, '2026-02-20');
    await use(session, user, 7);
    expect(await explained(session, user)).toEqual(before);
  });

  test('was covered by credits only where credits were applied, not where a correction was next to it', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const [one] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, one?.id ?? '');
    const [other] = await use(session, user, 90);
    await advance(session, user.clockId, '2026-04-01');
    await voidEvent(session, other?.id ?? '');
    await use(session, user, 300);
    await advance(session, user.clockId, '2026-05-01');
    const all = await explained(session, user);
    expect(all.map(({ verified }) => verified)).toEqual([true, true, true]);
    expect(all.flatMap(({ usage }) => usage).map(({ covered }) => covered)).toEqual(
      all.flatMap(({ usage }) => usage).map(() => '0'),
    );
  });

  test('is shown to differ when the events are not those that were billed', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    const { em } = fresh(session);
    await em.execute('update usage_event set amount = 99 where id = ?', [event?.id]);
    const [changed] = await explained(session, user);
    expect(changed).toMatchObject({ verified: false, usage: [{ used: '100' }] });
    expect(changed?.differences.join()).toContain('were 1 with a sum of 100, and are 1 with 99');
  });

  // The last one here, since no month is left afterwards.
  test('is still told when its events have been put away', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    const [before] = await explained(session, user);
    await fresh(session).em.transactional((em) =>
      detachUsageEventMonths(em as never, new Date('2099-12-01'), 1),
    );
    const [after] = await explained(session, user);
    expect(after).toMatchObject({ verified: true, usage: before?.usage });
    expect(after?.steps.join()).toContain('1 events are archived');
    expect(before?.steps.join()).not.toContain('archived');
  });
});
