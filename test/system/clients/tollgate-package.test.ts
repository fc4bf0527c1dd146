import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import { aCustomer, aToggle, aUsageMeter, fresh } from '../../support/factories.ts';
import { aSubscriptionWithSeats } from '../../support/seats.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { use } from '../../support/usage.ts';
import { aPage } from './application-page.ts';
import { test as base, serve } from './service.ts';

const run = promisify(execFile);

/** The program `node` of the machine may be older than the Node of the tests, which npm puts before it. */
// biome-ignore lint/style/noProcessEnv: the path of the shell is in no setting
const { PATH = '' } = process.env;
const ofShell = { env: { PATH: PATH.replaceAll(/[^:]*node_modules[^:]*:/g, '') } };

/** The folders of the packages that are published, by their names. */
const published = {
  '@tollgate/client': 'dashboard/client',
  '@tollgate/webhooks': 'dashboard/adapters/webhooks',
  '@tollgate/next': 'dashboard/adapters/next',
  '@tollgate/better-auth': 'dashboard/adapters/better-auth',
} as const;

const test = base.extend('packed', { scope: 'file' }, async ({ folder }) => {
  const modules = join(folder, 'node_modules');
  for (const [name, source] of Object.entries(published)) {
    // As in a clone that has not built it.
    await rm(join(source, 'dist'), { recursive: true, force: true });
    await packInto(join(modules, name), source);
  }
  for (const name of await readdir('node_modules')) {
    if (name !== '@tollgate') await symlink(resolve('node_modules', name), join(modules, name));
  }
  return folder;
});

/** Packs a package as `npm publish` does, and unpacks it where an application has it. */
async function packInto(target: string, source: string) {
  await mkdir(target, { recursive: true });
  // npm is a script of the shell on Windows.
  await run(`npm pack --pack-destination "${target}"`, { cwd: source, shell: true } as never);
  const [archive = ''] = await readdir(target);
  await run('tar', ['xzf', archive, '--strip-components=1'], { cwd: target });
}

interface Manifest {
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, object>>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** The paths to which entries lead, except the sources in this repository. */
const targetsOf = (entry: object): string[] =>
  Object.entries(entry).flatMap(([condition, value]) => {
    if (condition === '@tollgate/source') return [];
    return typeof value === 'string' ? [value] : targetsOf(value);
  });

const typescript = {
  7: resolve('node_modules/typescript/bin/tsc'),
  5: resolve('dashboard/client/rest-types/node_modules/typescript-5/bin/tsc'),
} as const;

const compilerOptions = {
  ...{ target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], types: [], strict: true },
  ...{ exactOptionalPropertyTypes: true, noEmit: true, jsx: 'react-jsx' },
};

/** What a compiler finds in files of a folder. */
async function problemsIn(
  folder: string,
  files: readonly string[],
  [version, module, moduleResolution]: readonly [keyof typeof typescript, string, string],
) {
  const project = join(folder, 'tsconfig.json');
  const options = { ...compilerOptions, module, moduleResolution };
  await writeFile(project, JSON.stringify({ compilerOptions: options, files }));
  const { stdout } = await run(process.execPath, [typescript[version], '-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe.for(Object.keys(published))('the package %s', (name) => {
  test('has all files of its entries when it is packed in a clone that has not built it', async ({
    packed,
  }) => {
    const folder = join(packed, 'node_modules', name);
    const manifest = await manifestOf(folder);
    expect(manifest.private).toBeUndefined();
    const targets = Object.values(manifest.exports).flatMap(targetsOf);
    expect(targets.length).toBeGreaterThanOrEqual(4);
    for (const target of [...targets, 'README.md']) {
      expect((await stat(join(folder, target))).size, target).toBeGreaterThan(0);
    }
  });

  test('has declarations with which the examples of its README compile', async ({ packed }) => {
    const own = await mkdtemp(join(packed, 'examples-'));
    const readme = await readFile(join(packed, 'node_modules', name, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```(tsx?)\n(.*?)```/gs)];
    expect(examples.length).toBeGreaterThanOrEqual(1);
    const files = examples.map(([, kind], place) => `example-${place}.${kind}`);
    for (const [place, [, , text = '']] of examples.entries()) {
      await writeFile(join(own, files[place] ?? ''), `${text}\nexport {};\n`);
    }
    await writeFile(join(own, 'package.json'), '{"type":"module"}');
    expect(await problemsIn(own, files, [7, 'nodenext', 'nodenext'])).toBe('');
  });

  test('has declarations for modules of both kinds, with each resolution', async ({ packed }) => {
    const own = await mkdtemp(join(packed, 'callers-'));
    const { exports } = await manifestOf(join(packed, 'node_modules', name));
    const lines = Object.entries(exports).flatMap(([path, entry], place) => {
      const isOnlyTypes = !targetsOf(entry).some((target) => target.endsWith('.js'));
      return [
        `import ${isOnlyTypes ? 'type ' : ''}* as entry${place} from '${join(name, path)}';`,
        `export ${isOnlyTypes ? 'type T' : 'const t'}${place} = ${isOnlyTypes ? 'keyof typeof ' : ''}entry${place};`,
      ];
    });
    const files = ['caller.mts', 'caller.cts'];
    for (const file of files) await writeFile(join(own, file), lines.join('\n'));
    for (const way of [
      [7, 'node16', 'node16'],
      [7, 'nodenext', 'nodenext'],
      [7, 'preserve', 'bundler'],
      [5, 'node16', 'node16'],
      [5, 'commonjs', 'node10'],
    ] as const) {
      expect(await problemsIn(own, files, way), `${way}`).toBe('');
    }
  });

  test.for([
    ['import', 'mjs'],
    ['require', 'cjs'],
  ] as const)('is loaded by %s, with all of its entries', async ([way, kind], { packed }) => {
    const file = join(packed, `loader.${kind}`);
    const { exports } = await manifestOf(join(packed, 'node_modules', name));
    const entries = Object.keys(exports).filter((path) => path !== './rest');
    const loads = entries.map((path) => `${way}('${join(name, path)}')`);
    await writeFile(
      file,
      `Promise.all([${loads}]).then((all) => console.log(all.map((each) => Object.keys(each).length > 0).join()));`,
    );
    for (const node of [process.execPath, 'node']) {
      const { stdout } = await run(node, ['--no-warnings', file], ofShell);
      expect(stdout.trim(), node).toBe(entries.map(() => 'true').join());
    }
  });
});

describe('the client', () => {
  test('renders its components on a server, where they are loading', async ({ packed }) => {
    const file = join(packed, 'server.mjs');
    await writeFile(
      file,
      `const { createElement } = await import('react');
      const { renderToString } = await import('react-dom/server');
      const { Paywall, PricingTable, TollgateProvider, Usage } = await import('@tollgate/client/react');
      const parts = [[PricingTable, {}], [Paywall, { feature: 'sso' }], [Usage, { meter: 'calls' }]];
      const children = parts.map(([Part, props], key) => createElement(Part, { ...props, key }));
      const settings = { url: 'http://localhost/', token: 'ct_test_none' };
      console.log(renderToString(createElement(TollgateProvider, settings, children)));`,
    );
    const { stdout } = await run(process.execPath, [file]);
    const shown = [...stdout.matchAll(/data-tollgate="([a-z-]+)" data-state="([a-z]+)"/g)];
    expect(shown.map(([, name, state]) => `${name} ${state}`)).toEqual([
      'pricing-table loading',
      'paywall loading',
      'usage loading',
    ]);
  });

  test('begins its React entry with the directive that makes it one of client components', async ({
    packed,
  }) => {
    const entry = join(packed, 'node_modules/@tollgate/client/dist/react/index.js');
    expect(await readFile(entry, 'utf8')).toMatch(/^(\/\/.*\n)*'use client';/);
  });

  test.for([
    ['that runs the service', process.execPath],
    ['that the shell finds', 'node'],
  ] as const)(
    'executes operations without sockets, and names what live updates need, in the Node %s',
    async ([_, node], { packed, url, tenant, session }) => {
      const { id, externalId } = await aCustomer(session);
      const file = join(packed, 'caller.mjs');
      await writeFile(
        file,
        `delete globalThis.WebSocket;
        const { connect } = await import('@tollgate/client');
        const { BalancesDocument } = await import('@tollgate/client/operations');
        const url = ${JSON.stringify(url)};
        const connection = connect({ url, token: ${JSON.stringify(tenant.key)} });
        const externalId = ${JSON.stringify(externalId)};
        const { data } = await connection.execute(BalancesDocument, { externalId });
        connection.close();
        let refused = '';
        try { connection.socket; } catch (error) { refused = error.message; }
        const own = connect({ url, webSocket: class { static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3; } });
        console.log(JSON.stringify([data.customer.id, refused, typeof own.socket.subscribe]));`,
      );
      const { stdout } = await run(node, [file], ofShell);
      expect(JSON.parse(stdout)).toEqual([id, expect.stringContaining('webSocket'), 'function']);
    },
  );
});

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
    packed,
    database,
    hub,
    session,
  }) => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const server = await serve(database.orm, hub);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const network = await startProxy(`${server.url}`);
    onTestFinished(() => network[Symbol.asyncDispose]());
    useServiceUrl(`${server.url}`);
    const origin = await aPage(packed, { program: 'page.tsx', packages: 'published' });
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
