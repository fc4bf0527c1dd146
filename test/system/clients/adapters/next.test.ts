import { describe, expect } from 'vitest';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import {
  checkoutRoute,
  portalRoute,
  tokenRoute,
  webhookRoute,
} from '../../../../dashboard/adapters/next/src/index.ts';
import { connect } from '../../../../dashboard/client/src/connect.ts';
import { BalancesDocument } from '../../../../dashboard/client/src/operations.generated.ts';
import { aCustomer, aPriceOf, aSubscription, fresh } from '../../../support/factories.ts';
import { test as base } from '../service.ts';

const test = base.extend('connection', ({ url, tenant }) => {
  useServiceUrl(url);
  return connect({ url, token: tenant.key });
});

const app = 'https://app.example.com';

/** A request of a visitor, or of the customer who is signed in by a cookie. */
const requestOf = (path: string, externalId?: string, init: RequestInit = {}) =>
  new Request(`${app}${path}`, {
    ...init,
    headers: { ...init.headers, ...(externalId && { cookie: `customer=${externalId}` }) },
  });

const customerOf = ({ headers }: Request) => headers.get('cookie')?.replace('customer=', '');

const ordered = (externalId: string | undefined, body: unknown, type = 'application/json') =>
  requestOf('/api/checkout', externalId, {
    method: 'POST',
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });

describe('routes of Next.js', () => {
  test('redirect a customer to her portal, and a visitor to the sign-in', async ({
    connection,
    session,
  }) => {
    const { externalId, name } = await aCustomer(session);
    const GET = portalRoute({
      ...{ connection, customerOf, signInPath: '/sign-in' },
      localeOf: () => 'de',
    });
    const answer = await GET(requestOf('/billing', externalId));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const opened = await fetch(answer.headers.get('location') ?? '', { redirect: 'manual' });
    const cookies = opened.headers.getSetCookie().map((each) => each.split(';')[0]);
    const cookie = cookies.join('; ');
    const portal = new URL(opened.headers.get('location') ?? '', opened.url);
    const page = await (await fetch(portal, { headers: { cookie } })).text();
    expect(page).toContain('Abrechnung');
    expect(page).toContain(name);

    const visitor = await GET(requestOf('/billing'));
    expect(visitor.headers.get('location')).toBe(`${app}/sign-in`);
    const refused = await portalRoute({ connection, customerOf })(requestOf('/billing'));
    expect(refused.status).toBe(401);
  });

  test('create the checkout of a price for a customer, and lead one with a paid plan to her portal', async ({
    connection,
    session,
    graphql,
  }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const addresses = { successUrl: '/thanks', cancelUrl: '/plans' };
    const POST = checkoutRoute({ connection, customerOf, ...addresses });
    const made = await POST(ordered(externalId, { priceId, quantity: 2 }));
    const { url } = (await made.json()) as { url: string };
    expect(url).toContain('/checkout/');
    const { data } = await graphql(
      '{ checkoutSessions(first: 2) { nodes { priceId quantity successUrl customer { externalId } } } }',
    );
    expect(data.checkoutSessions.nodes).toEqual([
      { priceId, quantity: 2, successUrl: `${app}/thanks`, customer: { externalId } },
    ]);

    for (const [status, request] of [
      [401, ordered(undefined, { priceId })],
      [400, ordered(externalId, { priceId, quantity: 1.5 })],
      [400, ordered(externalId, 'none')],
      [400, ordered(externalId, { priceId: 'price_none' })],
      [415, ordered(externalId, { priceId }, 'text/plain')],
    ] as const) {
      expect((await POST(request)).status).toBe(status);
    }

    await aSubscription(fresh(session), { customerId, priceId, doNotCharge: true });
    const changed = await POST(ordered(externalId, { priceId }));
    expect(await changed.json()).toEqual({ url: expect.stringContaining('/portal/') });
  });

  test('give the page a token of the customer who is signed in, for its own origin', async ({
    connection,
    url,
    session,
  }) => {
    const { id, externalId } = await aCustomer(session);
    const POST = tokenRoute({ connection, customerOf });
    const { token } = (await (await POST(requestOf('/api/token', externalId))).json()) as {
      token: string;
    };
    for (const [origin, isAllowed] of [
      [app, true],
      ['https://other.example.com', false],
    ] as const) {
      const page = connect({ url, token, headers: { origin } });
      const read = page.execute(BalancesDocument, { externalId });
      if (isAllowed) expect((await read).data.customer?.id).toBe(id);
      else await expect(read).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect((await POST(requestOf('/api/token'))).status).toBe(401);
  });

  test('refuse webhooks that the service has not sent', async () => {
    const POST = webhookRoute({ secrets: 'whsec_AAAA', onEvent: () => {} });
    const request = new Request(`${app}/webhooks`, { method: 'POST', body: '{}' });
    expect((await POST(request)).status).toBe(400);
  });
});
