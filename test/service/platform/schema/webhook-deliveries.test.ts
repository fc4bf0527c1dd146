import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { createDeliverer } from '#cron/deliverer.ts';
import { startServer } from '#server/server.ts';
import { aWebhook } from '../../../support/factories.ts';
import { aReceiver } from '../../../support/outside/receiver.ts';
import { aTenant } from '../../../support/tenant.ts';
import { graphqlOf, testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

test('each change of a delivery is seen live by a client that watches its webhook, and by no other client', async ({
  gateway,
  hub,
  database,
  tenant: { session, key },
}) => {
  await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  const stranger = await aTenant(database.orm.em);
  const receiver = await aReceiver();
  const { webhook } = await aWebhook(session, { url: receiver.url });
  const { webhook: other } = await aWebhook(session, { url: receiver.url });
  const { webhook: theirs } = await aWebhook(stranger.session, { url: receiver.url });
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: key },
  });
  const query = `subscription($webhookId: ID!) {
    webhookDeliveryChanged(webhookId: $webhookId) { webhookId status attemptCount event { type } }
  }`;
  const changes = client.iterate({ query, variables: { webhookId: webhook.id } });
  const first = changes.next();
  const graphql = graphqlOf(gateway, key);
  const send = 'mutation($id: ID!) { sendTestEvent(id: $id) { webhookDelivery { id status } } }';
  await expect
    .poll(
      async () => {
        // Before the subscription exists, no event reaches it.
        await graphqlOf(gateway, stranger.key)(send, { id: theirs.id });
        await graphql(send, { id: other.id });
        await graphql(send, { id: webhook.id });
        return Promise.race([first, new Promise((resolve) => setTimeout(resolve, 50))]);
      },
      { interval: 1 },
    )
    .toMatchObject({
      value: {
        data: {
          webhookDeliveryChanged: {
            webhookId: webhook.id,
            status: 'pending',
            attemptCount: 0,
            event: { type: 'webhook.test' },
          },
        },
      },
    });
  await using deliverer = createDeliverer(database.orm, {
    allowPrivate: true,
    onFailure: () => {},
  });
  await deliverer.sweep(new Date());
  let seen: Record<string, unknown> = {};
  while (seen.status !== 'delivered') {
    const { value } = await changes.next();
    seen = value?.data?.webhookDeliveryChanged as Record<string, unknown>;
    expect(seen.webhookId).toBe(webhook.id);
  }
  expect(seen.attemptCount).toBe(1);
  await client.dispose();
});
