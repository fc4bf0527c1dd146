import { expect } from 'vitest';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

test('the database keeps what a customer has been asked for and what has been paid', async ({
  session,
}) => {
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  await timeline.subscribes();
  const { em } = timeline.fresh();
  const [payment] = await timeline.payments();
  const [invoice] = await timeline.invoices();
  for (const change of [`status = 'failed'`, 'amount = 1', `idempotency_key = 'x'`]) {
    await expect(
      em.execute(`update payment set ${change} where id = ?`, [payment?.id]),
    ).rejects.toThrow(/cannot go from/);
  }
  for (const change of [`status = 'draft'`, 'subtotal = 1, total = 1', `invoice_number = 'x'`]) {
    await expect(
      em.execute(`update invoice set ${change} where id = ?`, [invoice?.id]),
    ).rejects.toThrow(/is no draft any more/);
  }
});
