import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aSubscription, aUsageMeter, aUsagePrice } from '../../support/factories.ts';
import { aFreeze } from '../../support/servers/freeze.ts';
import { aTenant } from '../../support/tenant.ts';
import { apiOf, test } from '../../support/test.ts';

const asynchronous = { headers: { prefer: 'respond-async' } };

describe('an organization that is frozen', () => {
  test('gets 503, and usage of others that is accepted at the same time is not refused', async ({
    api,
    session,
    gateway,
    database,
  }) => {
    await using opened = new AsyncDisposableStack();
    const other = await aTenant(database.orm.em);
    const calls = [
      { api, event: await anEvent(session) },
      { api: apiOf(gateway, other.key), event: await anEvent(other.session) },
    ];
    const accept = () =>
      Promise.all(
        calls.map(({ api, event }) =>
          api('POST', '/usage-events', { usageEvent: event() }, asynchronous),
        ),
      );
    const mover = await aFreeze(database.databaseUrl, session, opened);
    for (let time = 0; time < 10; time++) {
      const [own, ofOther] = await accept();
      expect([own?.status, own?.headers.has('retry-after')]).toEqual([503, true]);
      expect(ofOther?.status).toBe(202);
    }
    const customer = { externalId: 'c1', name: 'Ada', email: 'ada@example.com' };
    expect((await api('POST', '/customers', { customer })).status).toBe(503);
    await mover.end();
    for (const { status } of await accept()) expect(status).toBe(202);
    expect((await api('POST', '/customers', { customer })).status).toBe(200);
  });
});

/** Usage events of a subscription of the session, each with a transaction id of its own. */
async function anEvent(session: Session) {
  const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id, { slug: `calls-${meter.slug}`, isDefault: true });
  let place = 0;
  return () => {
    place += 1;
    return { subscriptionId, amount: 1, transactionId: `t${place}`, usageMeterSlug: meter.slug };
  };
}
