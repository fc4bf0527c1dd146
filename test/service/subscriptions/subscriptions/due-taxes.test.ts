import { expect } from 'vitest';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { reachTaxServices } from '#server/integrations/reach-tax-services.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { startTaxServer } from '../../../support/outside/tax-service.ts';
import { testAlone } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

test('the boundaries of an organization wait for its tax service together, and the rest for the next sweep', async ({
  database,
  session,
}) => {
  const { slug } = await aMeteredSubscription(session, { unitPrice: 1, usageEventsPerUnit: 1 });
  const timing = 'at_end_of_current_billing_period' as const;
  for (const used of [1_200, 1_300, 1_400]) {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const priceId = await aPriceOf(session, {});
    const { id } = await aSubscription(session, { customerId, priceId });
    await use(session, { id, slug }, used);
    await cancelSubscription(fresh(session), { id, cancellation: { timing } });
  }
  await using service = await startTaxServer();
  const taxServiceSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const organization = {
    taxEngine: 'service',
    taxServiceUrl: service.url,
    taxServiceSecret,
  } as const;
  await updateOrganization(fresh(session), { organization }, { allowPrivate: true });
  const patience = { pausesMilliseconds: [10, 10], restMilliseconds: 0, sweepMilliseconds: 0 };
  reachTaxServices({ allowPrivate: true, timeoutMilliseconds: 30_000, ...patience });
  const end = new Date(session.now.getTime() + 40 * 86_400_000);
  const sweep = () => transitionDueSubscriptions(database.orm.em.fork(), end, 'sweep');
  const state = async () => {
    const billed = await fresh(session).em.count(Invoice, { purpose: 'last_usage' });
    return { billed, asked: service.calls.length };
  };
  // One failure names them all.
  await expect(sweep()).rejects.toThrow(/^1 failed: .*has waited for it too long/);
  expect(await state()).toEqual({ billed: 1, asked: 1 });
  await expect(sweep()).rejects.toThrow('has waited for it too long');
  expect(await sweep()).toBeGreaterThan(0);
  expect(await state()).toEqual({ billed: 3, asked: 3 });
});
