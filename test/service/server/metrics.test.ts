import { expect } from 'vitest';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it counts the differences of all organizations');

const token = 'fake_metrics_token_0000';

test('the metrics count the open differences of each kind, for a caller with the token and nobody else', async ({
  database,
  hub,
  session,
  tenant,
  gateway,
}) => {
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const open = createGateway({ ...parts, operationTimeLimitSeconds: 30, metricsToken: token });
  const ask = (service: typeof open, authorization?: string) =>
    service.fetch('http://test/metrics', {
      headers: authorization === undefined ? {} : { authorization },
    });
  const counted = async () => {
    const answer = await ask(open, `Bearer ${token}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(text).toContain('process_resident_memory_bytes');
    return text.split('\n').filter((line) => line.startsWith('tollgate_processor_differences{'));
  };
  expect(new Set((await counted()).map((line) => line.split(' ').at(-1)))).toEqual(new Set(['0']));

  const { em } = session;
  const account = em.create(ProcessorAccount, {
    kind: 'stripe',
    accountReference: 'acct_fake0',
    apiVersion: 'none',
    keyEnding: 'none',
    disconnectedAt: new Date(),
  });
  const difference = em.create(ProcessorDifference, {
    account,
    kind: 'charged_twice',
    reference: 'ch_1',
    message: 'The payment has a second charge',
  });
  await em.flush();
  const line = 'tollgate_processor_differences{kind="charged_twice",livemode="false"}';
  expect(await counted()).toContain(`${line} 1`);
  difference.resolvedAt = new Date();
  await em.flush();
  expect(await counted()).toContain(`${line} 0`);

  for (const wrong of [undefined, `Bearer ${tenant.key}`, `Bearer ${token}1`, token]) {
    const refused = await ask(open, wrong);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.text()).not.toContain('tollgate');
  }
  expect((await ask(gateway, `Bearer ${token}`)).status).toBe(404);
});
