import { type GraphQLObjectType, type GraphQLOutputType, getNamedType } from 'graphql';
import { expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { includeAll } from '#rest/engine/extras.ts';
import { routes } from '#rest/index.ts';
import { tokenQueries } from '#schema/engine/token-access.ts';
import { schema } from '#schema/index.ts';
import { aTestClock, fresh } from '../../../support/factories.ts';
import { oneOfEach } from '../../../support/records/one-of-each.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it settles the usage of all organizations');

const queries = (schema.getQueryType() as GraphQLObjectType).getFields();
const fieldOf = ({ fields: [field] }: (typeof routes)[number]) => field?.name.value ?? '';
const reads = routes.filter((route) => route.method === 'GET' && tokenQueries.has(fieldOf(route)));

test('a customer token reads each endpoint of its records, without the fields that are hidden from it', async ({
  api,
  session,
}) => {
  const clock = await aTestClock(session);
  const ids = await oneOfEach(session, clock.id);
  const { id, externalId } = await fresh(session).em.findOneOrFail(Customer, ids.Customer ?? '');
  const { token } = await createCustomerToken(fresh(session), { customer: id });
  const read = async (path: string, key?: string) => {
    const options = key === undefined ? {} : { key };
    const usual = await api('GET', path, undefined, options);
    const headers = { prefer: includeAll };
    return { usual, whole: await api('GET', path, undefined, { ...options, headers }) };
  };

  expect(reads.length).toBeGreaterThan(50);
  for (const route of reads) {
    const typeName = getNamedType(queries[fieldOf(route)]?.type as GraphQLOutputType).name;
    const names: Record<string, string | undefined> = {
      ...{ id: ids[typeName] ?? ids[typeName.replace(/^Upcoming.*/, 'Subscription')], externalId },
      ...{ subscriptionId: ids.Subscription, customerId: id },
    };
    const path = route.path.replaceAll(/:(\w+)/g, (_, name) => names[name] ?? 'none');
    const { usual, whole } = await read(path, token);
    // Some records are of another customer, or need a parameter.
    const expected = path === route.path ? [200, 400] : [200, 400, 404];
    expect(expected, `${path}: ${JSON.stringify(usual.body)}`).toContain(usual.status);
    expect(whole.status).toBe(usual.status);
  }

  for (const path of [`/customers/${externalId}`, `/customers/${externalId}/billing`]) {
    const own = await read(path, token);
    const { whole } = await read(path);
    expect(own.usual.status).toBe(200);
    const { testClockId, ...shown } = whole.body.customer;
    expect(testClockId === null || typeof testClockId === 'string').toBe(true);
    expect(own.whole.body.customer).toEqual(shown);
  }
  const [event] = (await api('GET', '/events', undefined, { key: token })).body.data;
  const { causeId, actor, ...shown } = (await api('GET', `/events?limit=100`)).body.data.find(
    (one: { id: string }) => one.id === event.id,
  );
  expect(causeId).toBeDefined();
  expect(actor).toBeDefined();
  expect(event).toEqual(shown);
});
