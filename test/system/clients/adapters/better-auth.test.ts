import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { describe, expect } from 'vitest';
import {
  type AuthUser,
  tollgate,
  type WithBilling,
} from '../../../../dashboard/adapters/better-auth/src/index.ts';
import { connect } from '../../../../dashboard/client/src/connect.ts';
import { aSubscription, aToggle, fresh } from '../../../support/factories.ts';
import { startProxy } from '../../../support/servers/proxy.ts';
import { test } from '../service.ts';

/** An application of Better Auth, with people in memory, in front of a service. */
function anApplication(url: string, token: string) {
  const auth = betterAuth({
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    baseURL: 'http://app.example.com',
    secret: 'a secret of this test, which nothing else uses',
    emailAndPassword: { enabled: true },
    logger: { disabled: true },
    user: { changeEmail: { enabled: true } },
    plugins: [tollgate({ connection: connect({ url, token }) })],
  });
  return {
    auth,
    async signUp(name: string) {
      const body = { name, email: `${name}@example.com`, password: 'correct horse battery' };
      const { headers, response } = await auth.api.signUpEmail({ body, returnHeaders: true });
      const cookie = headers.getSetCookie().map((each) => each.split(';')[0]);
      return { id: response.user.id, headers: new Headers({ cookie: cookie.join('; ') }) };
    },
    /** The session as a browser reads it. */
    async sessionOf(headers: Headers) {
      const answer = await auth.handler(
        new Request('http://app.example.com/api/auth/get-session', { headers }),
      );
      return (await answer.json()) as WithBilling<{ user: AuthUser }> | null;
    },
  };
}

describe('the plugin of Better Auth', () => {
  test('creates a customer for a new user, follows her name, and has her subscriptions in the session', async ({
    url,
    tenant,
    session,
    graphql,
  }) => {
    const { auth, signUp, sessionOf } = anApplication(url, tenant.key);
    const { id, headers } = await signUp('ada');
    const read = async () => {
      const { data } = await graphql(
        'query($id: String!) { customerByExternalId(externalId: $id) { id name email } }',
        { id },
      );
      return data.customerByExternalId;
    };
    const customer = await read();
    expect(customer).toMatchObject({ name: 'ada', email: 'ada@example.com' });

    const feature = await aToggle(session);
    await aSubscription(fresh(session), {
      ...{ customerId: customer.id, doNotCharge: true },
      featureIds: [feature.id],
    });
    expect(await sessionOf(headers)).toMatchObject({
      user: { id, email: 'ada@example.com' },
      billing: {
        customerExternalId: id,
        subscriptions: [{ status: 'active', isFreePlan: false }],
        features: [feature.slug],
      },
    });
    expect(await auth.api.getSession({ headers })).toHaveProperty('billing.features', [
      feature.slug,
    ]);
    await auth.api.updateUser({ headers, body: { name: 'Ada Lovelace' } });
    expect(await read()).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(await sessionOf(new Headers())).toBe(null);
  });

  test('lets people sign up while the service is away, and creates the customer later, once', async ({
    url,
    tenant,
    graphql,
  }) => {
    await using network = await startProxy(url);
    const { signUp, sessionOf } = anApplication(network.databaseUrl, tenant.key);
    network.leadTo('http://127.0.0.1:1/');
    const { id, headers } = await signUp('grace');
    expect(await sessionOf(headers)).toMatchObject({ user: { id }, billing: null });
    network.leadTo(url);
    const states = await Promise.all([1, 2, 3].map(() => sessionOf(headers)));
    expect(states.map((state) => state?.billing?.customerExternalId)).toEqual([id, id, id]);
    const { data } = await graphql('{ customers(first: 10) { nodes { externalId } } }');
    expect(data.customers.nodes).toEqual([{ externalId: id }]);
  });
});
