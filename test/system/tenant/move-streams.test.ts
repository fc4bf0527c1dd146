import { describe, expect, test } from 'vitest';
import { moveOrganization } from '../../../src/tools/tenant/move-organization.ts';
import { effort } from '../../support/effort.ts';
import { type Running, startService } from '../../support/process.ts';
import { twoCells } from '../../support/servers/cells.ts';
import { natsServer, startNats } from '../../support/servers/nats.ts';
import { aTenant } from '../../support/tenant.ts';
import { aMeteredSubscription } from '../../support/usage.ts';

/** Two servers and two services take a while: `EFFORT=2 npm test -- move-streams`. */
const isWanted = natsServer !== undefined && effort > 1;
const without = natsServer ? '' : ' (skipped: there is no NATS server here)';

describe.runIf(isWanted)(`two cells with NATS servers of their own${without}`, () => {
  test('usage that the first one accepts before, during and after a move counts once in the second', async () => {
    await using opened = new AsyncDisposableStack();
    const { first, second } = opened.use(await twoCells());
    const services: Running[] = [];
    for (const { name, databaseUrl } of [first, second]) {
      const nats = opened.use(await startNats({ size: 1 }));
      services.push(
        await startService({
          ...nats.settings,
          NATS_REPLICAS: '1',
          TOLLGATE_CELL: name,
          DATABASE_URL: databaseUrl,
        }),
      );
    }
    const [source, target] = services as [Running, Running];
    const { session, key } = await aTenant(first.orm.em);
    const { id: subscriptionId, slug } = await aMeteredSubscription(session);
    const { organizationId } = session;
    const send = (to: Running, transactionId: string) =>
      fetch(`${to.url}/api/v1/usage-events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          prefer: 'respond-async',
        },
        body: JSON.stringify({
          usageEvent: { subscriptionId, usageMeterSlug: slug, amount: 1, transactionId },
        }),
      });

    const accepted: string[] = [];
    const moving = { ended: false };
    const sending = (async () => {
      for (let count = 0; !moving.ended; count++) {
        const id = `t${count}`;
        // The first cell refuses the organization once it has left.
        if ((await send(source, id)).status === 202) accepted.push(id);
      }
    })();
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    const move = () =>
      moveOrganization({
        organizationId,
        sourceUrl: first.databaseUrl,
        fromUrl: first.databaseUrl,
        targetUrl: second.databaseUrl,
        cell: second.name,
        freezeSeconds: 30,
        report: () => {},
      });
    await move();
    moving.ended = true;
    await sending;
    expect((await send(target, 'there')).status).toBe(202);
    accepted.push('there');
    // The message of a process that has not heard of the move in time is the last to come.
    await expect
      .poll(async () => {
        await move();
        const rows = await second.query<{ id: string }>(
          'select transaction_id as id from usage_event where organization_id = $1 order by 1',
          [organizationId],
        );
        return rows.map(({ id }) => id);
      })
      .toEqual(accepted.toSorted());
    expect(await first.query('select from usage_forward')).toEqual([]);
  });
});
