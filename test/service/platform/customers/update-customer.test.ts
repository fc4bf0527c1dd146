import { expect } from 'vitest';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { aCustomer, fresh } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

test('a change is reported with what was before, at the customer’s own time', async ({
  session,
}) => {
  const clocked = await aClockedCustomer(session);
  const { externalId } = clocked.customer;
  await advance(session, clocked, at('2026-02-10'));
  const before = await eventsOf(session, clocked.customer);
  const update = () => updateCustomer(fresh(session), { externalId, customer: { name: 'Eve' } });
  await update();
  await update();
  expect(await eventsOf(session, clocked.customer, before)).toMatchObject([
    {
      type: 'customer.updated',
      occurredAt: at('2026-02-10'),
      data: { name: 'Eve', updatedAt: at('2026-02-10').getTime() },
      previousAttributes: { name: 'Ada' },
    },
  ]);
});

test('changes of several fields at once lose none', async ({ session, api }) => {
  const { externalId } = await aCustomer(session);
  const changes = [{ name: 'Eve' }, { email: 'e@example.com' }, { domain: 'x' }, { userId: 'u' }];
  await Promise.all(
    changes.map((customer) => updateCustomer(fresh(session), { externalId, customer })),
  );
  expect((await api('GET', `/customers/${externalId}`)).body.customer).toMatchObject(
    Object.assign({}, ...changes),
  );
});
