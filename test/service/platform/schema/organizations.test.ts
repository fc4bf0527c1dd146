import { expect } from 'vitest';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { aLiveSession } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { graphqlOf, test } from '../../../support/test.ts';

const query = '{ organization { id name currency allowMultipleSubscriptionsPerCustomer } }';
const update =
  'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { name allowMultipleSubscriptionsPerCustomer } } }';

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
      data: { updateOrganization: { organization: changed } },
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
  for (const operation of [
    query,
    'mutation { updateOrganization(organization: {}) { organization { name } } }',
  ]) {
    const { errors } = await graphql(operation, {}, { key });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});

test('a key of test mode changes what test mode does, and never what live mode does', async ({
  graphql,
  gateway,
  session,
}) => {
  const live = await aLiveSession(session);
  const liveKey = await aKey(live, 'secret');
  const settings =
    'livemode name allowMultipleSubscriptionsPerCustomer dunningRetryDays dunningFinalAction prorationCredit taxType taxRatePercentage taxInclusive taxCountry taxState';
  const read = `{ organization { ${settings} } }`;
  const before = await graphqlOf(gateway, liveKey)(read);
  const organization = {
    name: 'Test only',
    allowMultipleSubscriptionsPerCustomer: true,
    dunningRetryDays: [1],
    dunningFinalAction: 'cancel',
    prorationCredit: 'balance',
    taxType: 'vat',
    taxRatePercentage: '19',
    taxInclusive: true,
    taxCountry: 'DE',
    taxState: 'BE',
  };
  await graphql(update, { organization });
  expect((await graphql(read)).data.organization).toEqual({ ...organization, livemode: false });
  expect(await graphqlOf(gateway, liveKey)(read)).toEqual(before);
  expect(before.data.organization).toMatchObject({ livemode: true, dunningFinalAction: 'unpaid' });
  expect(await settingsOf({ ...live, em: live.em.fork() })).toMatchObject({
    dunningRetryDays: [3, 5, 5],
    taxType: null,
  });
});

test('each change is an event with old and new values and the key, in its own mode', async ({
  graphql,
  gateway,
  session,
}) => {
  const liveKey = await aKey(await aLiveSession(session), 'secret');
  const organization = { dunningFinalAction: 'cancel', dunningRetryDays: [2, 4] };
  await graphql(update, { organization });
  await graphql(update, { organization });
  const events =
    '{ events(types: ["organization.updated"]) { nodes { type objectType objectId objectVersion data previousAttributes livemode actor { id } } } }';
  const { data } = await graphql(events);
  expect(data.events.nodes).toEqual([
    {
      type: 'organization.updated',
      objectType: 'Organization',
      objectId: session.organizationId,
      objectVersion: 2,
      data: expect.objectContaining({ id: session.organizationId, name: 'Test', ...organization }),
      previousAttributes: { dunningFinalAction: 'unpaid', dunningRetryDays: [3, 5, 5] },
      livemode: false,
      actor: { id: session.apiKeyId },
    },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/secret/i);
  expect((await graphqlOf(gateway, liveKey)(events)).data.events.nodes).toEqual([]);
});
