import { expect } from 'vitest';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aPriceOf } from '../../support/factories.ts';
import { linesTo } from '../../support/log.ts';
import { aCheckout } from '../../support/screen/checkout.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it renames a table');

test.for([true, false])(
  'a page that fails answers without the stack of the error, which the log has, with production %s',
  async (production, { api, session, database: { orm }, hub }) => {
    const { url } = await aCheckout(api, { anonymous: true, priceId: await aPriceOf(session, {}) });
    const lines: Record<string, unknown>[] = [];
    const parts = { orm, hub, logger: linesTo(lines), production, operationTimeLimitSeconds: 30 };
    const address = { host: '127.0.0.1', port: 0 };
    await using server = await startServer(createGateway(parts), address, hub);
    const { pathname, search } = new URL(url);
    const read = () => fetch(`${server.url}${pathname}${search}`);
    expect((await read()).status).toBe(200);
    await orm.em.fork().execute('alter table checkout_session rename to gone');
    try {
      const response = await read();
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await response.text()).toBe('Something went wrong: the log of the service has it\n');
    } finally {
      await orm.em.fork().execute('alter table gone rename to checkout_session');
    }
    const failed = lines.find(({ msg }) => msg === 'A request has failed');
    expect(JSON.stringify(failed)).toContain('checkout_session');
  },
);
