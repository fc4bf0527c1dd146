import { expect } from 'vitest';
import { aKey, aTenant, graphqlOf, test } from '../support/test.ts';

const query = '{ organization { id name currency allowMultipleSubscriptionsPerCustomer } }';
const update =
  'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { name allowMultipleSubscriptionsPerCustomer } }';

test('the organization of the key is read, and no other', async ({ graphql, session }) => {
  expect(await graphql(query)).toEqual({
    data: {
      organization: {
        id: session.organizationId,
        name: 'Test',
        currency: 'USD',
        allowMultipleSubscriptionsPerCustomer: false,
      },
    },
  });
});

test('what is absent stays, and another organization is left alone', async ({
  graphql,
  gateway,
  database,
}) => {
  const other = graphqlOf(gateway, (await aTenant(database.orm.em)).key);
  const changed = { name: 'Test', allowMultipleSubscriptionsPerCustomer: true };
  for (const organization of [
    { allowMultipleSubscriptionsPerCustomer: true },
    {},
    { name: null },
  ]) {
    expect(await graphql(update, { organization })).toEqual({
      data: { updateOrganization: changed },
    });
  }
  expect((await other(query)).data.organization.allowMultipleSubscriptionsPerCustomer).toBe(false);
});

test('an empty name is refused with the field', async ({ graphql }) => {
  const { errors } = await graphql(update, { organization: { name: ' ' } });
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_REQUEST', issues: [{ path: ['organization', 'name'] }] } },
  ]);
});

test('a publishable key neither reads nor changes it', async ({ graphql, session }) => {
  const key = await aKey(session, 'publishable');
  for (const operation of [query, 'mutation { updateOrganization(organization: {}) { name } }']) {
    const { errors } = await graphql(operation, {}, { key });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});
