import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { describe, expect, onTestFinished } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import { aToggle, aUsageMeter, fresh } from '../../support/factories.ts';
import { aSubscriptionWithSeats } from '../../support/seats.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { use } from '../../support/usage.ts';
import { test as base, serve } from './service.ts';

const run = promisify(execFile);
const packageFolder = resolve('dashboard/client');

const test = base.extend('built', { scope: 'file' }, async () => {
  await run(process.execPath, [join(packageFolder, 'build.ts')]);
  return packageFolder;
});

const compilerOptions = {
  ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom', 'dom.iterable'], types: [] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, jsx: 'react-jsx' },
};

describe('the package', () => {
  test('has declarations with which the examples of its README compile', async ({
    built,
    folder,
  }) => {
    const readme = await readFile(join(built, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```(tsx?)\n(.*?)```/gs)];
    expect(examples.length).toBeGreaterThanOrEqual(5);
    const files = examples.map(([, kind], place) => `example-${place}.${kind}`);
    for (const [place, [, , text = '']] of examples.entries()) {
      await writeFile(join(folder, files[place] ?? ''), `${text}\nexport {};\n`);
    }
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test('has declarations for CommonJS, with the modern and the older resolution', async ({
    built,
    folder,
  }) => {
    const own = await mkdtemp(join(folder, 'commonjs-'));
    const packages = join(own, 'node_modules');
    await mkdir(join(packages, '@tollgate'), { recursive: true });
    await symlink(built, join(packages, '@tollgate', 'client'));
    for (const scope of ['@0no-co', '@graphql-typed-document-node', 'graphql-ws', 'graphql']) {
      await symlink(resolve('node_modules', scope), join(packages, scope));
    }
    const entries = ['client', 'client/operations', 'client/webhooks', 'client/errors'];
    const lines = entries.map((name, at) => `import * as entry${at} from '@tollgate/${name}';`);
    const text = `${lines.join('\n')}
      import type { paths } from '@tollgate/client/rest';
      export const known = [${entries.map((_, at) => `entry${at}`)}] as const;
      export const { data } = entry0.connect({ url: 'http://localhost' }) as never as { data: paths };
      export const code: string = new entry0.TollgateError('NETWORK', 'none').code;`;
    await writeFile(join(own, 'caller.ts'), text);
    await writeFile(join(own, 'package.json'), '{"type":"commonjs"}');
    const older = resolve('dashboard/client/rest-types/node_modules/typescript-5/bin/tsc');
    const options = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
    };
    await writeFile(
      join(own, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['caller.ts'] }),
    );
    for (const [compiler, module, resolution] of [
      [resolve('node_modules/typescript/bin/tsc'), 'node16', 'node16'],
      [older, 'node16', 'node16'],
      [older, 'commonjs', 'node10'],
    ] as const) {
      const kind = ['--module', module, '--moduleResolution', resolution];
      const { stdout } = await run(process.execPath, [compiler, '-p', own, ...kind]).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout, `${module} ${resolution}`).toBe('');
    }
  });

  test('executes operations without sockets, and names what live updates need', async ({
    built,
    folder,
  }) => {
    const file = join(folder, 'caller.mjs');
    const entry = pathToFileURL(join(built, 'dist/index.js'));
    await writeFile(
      file,
      `delete globalThis.WebSocket;
      globalThis.fetch = async () => Response.json({ data: { version: '1' } });
      const { connect } = await import(${JSON.stringify(entry)});
      const { parse } = await import(${JSON.stringify(pathToFileURL(resolve('node_modules/@0no-co/graphql.web/dist/graphql.web.mjs')))});
      const connection = connect({ url: 'http://localhost/' });
      const { data } = await connection.execute(parse('{ version }'), {});
      connection.close();
      let refused = '';
      try { connection.socket; } catch (error) { refused = error.message; }
      const own = connect({ url: 'http://localhost/', webSocket: class { static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3; } });
      console.log(JSON.stringify([data, refused, typeof own.socket.subscribe]));`,
    );
    const { stdout } = await run(process.execPath, [file]);
    expect(JSON.parse(stdout)).toEqual([
      { version: '1' },
      expect.stringContaining('webSocket'),
      'function',
    ]);
  });
});

/** A page of an application that uses the hooks, on its own origin. */
async function aPage(folder: string) {
  const file = join(folder, 'page.js');
  await build({
    input: resolve('test/system/clients/tollgate-page/page.tsx'),
    platform: 'browser',
    logLevel: 'warn',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { file, format: 'esm' },
  });
  const server = createServer(async ({ url }, response) => {
    if (url === '/page.js') {
      response.setHeader('content-type', 'text/javascript');
      return void response.end(await readFile(file));
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://app.localhost:${(server.address() as AddressInfo).port}`;
}

/** A customer with seats, a meter that is used, and the product of its subscription. */
async function aUser(session: Session) {
  const seats = await aSubscriptionWithSeats(session, { seats: 5 });
  const meter = await aUsageMeter(session);
  await use(session, { id: seats.subscriptionId, slug: meter.slug }, 3);
  const toggle = await aToggle(session);
  return { ...seats, meter: meter.slug, toggle };
}

inBrowser('in a browser, the hooks', () => {
  test('show a customer what belongs to her, follow it through an interruption, and embed the portal', async ({
    built,
    folder,
    database,
    hub,
    session,
  }) => {
    expect(built).toBe(packageFolder);
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const server = await serve(database.orm, hub);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const network = await startProxy(`${server.url}`);
    onTestFinished(() => network[Symbol.asyncDispose]());
    useServiceUrl(`${server.url}`);
    const origin = await aPage(folder);
    const { customerId, subscriptionId, resourceSlug, meter, toggle } = await aUser(session);
    const { token } = await createCustomerToken(fresh(session), {
      customer: customerId,
      scopes: ['subscriptions_write'],
      allowedOrigins: [origin],
    });
    const settings = {
      ...{ url: network.databaseUrl, token, meter, resource: resourceSlug, portal: true },
      ...{ feature: toggle.slug, from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 10) },
    };
    const page = await browser.newPage();
    const open = (values: object) =>
      page.goto(`${origin}/?${Math.random()}#${encodeURIComponent(JSON.stringify(values))}`);
    const text = (id: string) => page.textContent(`#${id}`);
    await open(settings);
    await expect.poll(() => text('balance')).toBe('data 3 true');
    await expect.poll(() => text('seats')).toBe('data 0/5');
    await expect.poll(() => text('usage')).toBe('data 3');
    await expect.poll(() => text('feature')).toBe('data false');

    const claim = { subscriptionId, resourceSlug, quantity: 2 };
    await claimResource(fresh(session), claim as never);
    await use(session, { id: subscriptionId, slug: meter }, 4);
    await expect.poll(() => text('balance')).toBe('data 7 true');
    await expect.poll(() => text('seats')).toBe('data 2/5');
    await expect.poll(() => text('usage')).toBe('data 7');

    const frame = page.frameLocator('iframe');
    await frame.locator('h1:has-text("Abrechnung")').waitFor();
    await expect
      .poll(() => page.evaluate('document.querySelector("iframe").clientHeight'))
      .not.toBe(600);

    network.leadTo('http://127.0.0.1:1/');
    network.cut();
    await expect.poll(() => text('balance')).toBe('data 7 false');
    await use(session, { id: subscriptionId, slug: meter }, 5);
    network.leadTo(`${server.url}`);
    await expect.poll(() => text('balance')).toBe('data 12 true');

    await open({ ...settings, token: 'ct_test_unknown', portal: false });
    await expect.poll(() => text('balance')).toMatch(/^error/);
    expect(await text('error')).toBe('UNAUTHORIZED');
  });
});
