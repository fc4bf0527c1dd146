// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { detachUsageEventMonths } from '#domain/recording/commands/usage-events/usage-event-months.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPaymentMethod, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { testAlone } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

const test = testAlone('it changes the database or its connections');

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

/** The parts of the usage line of a subscription, as they are stored. */
async function storedParts(session: Session, { id }: { id: string }) {
  const ofUsage = { invoice: { subscription: id }, type: 'usage' } as const;
  const line = await fresh(session).em.findOneOrFail(InvoiceLineItem, ofUsage);
  return line.usageBreakdown ?? [];
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

  test('is shown to differ when two events have exchanged their amounts', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [one, other] = await use(session, user, 60, 40);
    await advance(session, user.clockId, '2026-03-01');
    await fresh(session).em.execute(
      'update usage_event set amount = 100 - amount where id in (?, ?)',
      [one?.id, other?.id],
    );
    const [changed] = await explained(session, user);
    expect(changed?.verified).toBe(false);
    expect(changed?.differences.join()).toContain('were 2 with a sum of 100, and are 2 with 100');
    expect(changed?.usage[0]?.events.sha256).toBeUndefined();
  });

  test('is verified by the digest that its line has stored, also by that of earlier versions', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, '60.50', 40);
    await advance(session, user.clockId, '2026-03-01');
    const [first] = await explained(session, user);
    const [part] = await storedParts(session, user);
    expect(part?.events.sumOfSha256).toBe(first?.usage[0]?.events.sumOfSha256);
    expect(part?.events.sha256).toBeUndefined();
    const { em } = fresh(session);
    await em.execute(
      `update invoice_line_item set usage_breakdown =
         jsonb_set(usage_breakdown #- '{0,events,sumOfSha256}', '{0,events,sha256}', to_jsonb(?::text))
       where usage_breakdown is not null and pricing_model_id = ?`,
      [first?.usage[0]?.events.sha256, session.pricingModelId],
    );
    expect(await explained(session, user)).toEqual([first]);
    await em.execute(`update usage_event set id = id || 'x' where id = ?`, [event?.id]);
    expect(await explained(session, user)).toMatchObject([{ verified: false }]);
  });

  test.for([
    ['of an earlier version has no digest', `digest = null`],
    ['is changed by a process of an earlier version', 'usage = usage'],
  ] as const)('is read from the events where a total %s', async ([, change], { session }) => {
    const user = await aMeteredSubscription(session);
    const [gone] = await use(session, user, 60, 40);
    await fresh(session).em.execute(
      `update usage_total set ${change} where balance_id in
         (select id from usage_meter_balance where subscription_id = ?)`,
      [user.id],
    );
    await use(session, user, 7);
    await voidEvent(session, gone?.id ?? '');
    await advance(session, user.clockId, '2026-03-01');
    const usage = [{ used: '47', events: { count: 2, sum: '47' } }];
    expect(await explained(session, user)).toMatchObject([{ verified: true, usage }]);
    await voidEvent(session, (await use(session, user, 9))[0]?.id ?? '');
    await expectLedgersToAgree(session, { withoutDigest: 1 });
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
    // The digest that the line has not stored is that of the present events.
    const stored = before?.usage.map(({ events: { sha256: _, ...events }, ...part }) => {
      return { ...part, events };
    });
    expect(after).toMatchObject({ verified: true, usage: stored });
    expect(after?.steps.join()).toContain('1 events are archived');
    expect(before?.steps.join()).not.toContain('archived');
  });
});
