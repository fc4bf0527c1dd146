import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { presentOf } from '#domain/kernel/values/present.ts';
import { createLogger } from '#server/observability/logger.ts';
import { noTrustedDocuments } from '#server/operations/trusted-documents.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { makeDemo } from '../../../src/tools/demo/make-demo.ts';
import { recallDemo } from '../../../src/tools/demo/recall-demo.ts';
import { openBrowser } from '../browser.ts';
import { cloneDatabase, templateOf } from '../database.ts';
import { startProxy } from '../servers/proxy.ts';
import { aTenant } from '../tenant.ts';
import { systemTest as base } from '../test.ts';

/** A page of the dashboard that is signed in, with the problems that the browser has reported. */
export interface OpenPage {
  readonly page: Page;
  readonly problems: readonly string[];
}

const demoCustomers = 14;
/** A machine with too much work is not a failure. */
const longestWaitMilliseconds = 60_000;

const placeOf = (organizationId: string) =>
  ({ organizationId, livemode: false, keyType: 'secret' }) as const;

async function fillDemo(orm: MikroORM) {
  const { session } = await aTenant(orm.em);
  const { organizationId } = session;
  const em = orm.em.fork();
  await presentOf(em);
  const { token } = await makeDemo(em, placeOf(organizationId), {
    customers: demoCustomers,
    now: new Date(),
    stop: new AbortController().signal,
    report: () => {},
  });
  return { organizationId, token };
}

/**
 * A service with a small demo business behind a network that can be cut, and a browser. `open` opens a path of the
 * dashboard in a context of its own.
 */
export const test = base
  // Pages of one test have a context of their own, so all files of a process share the browser.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('known', { scope: 'file' }, () => templateOf('demo', fillDemo))
  .extend('database', { scope: 'file' }, async ({ known: _ }, { onCleanup }) => {
    const database = await cloneDatabase('demo');
    onCleanup(() => database[Symbol.asyncDispose]());
    return database;
  })
  .extend(
    'demo',
    { scope: 'file' },
    async ({ database, hub, known: { token, organizationId } }) => {
      await hub.hear(database.orm);
      const em = database.orm.em.fork();
      await presentOf(em);
      const worlds = await recallDemo(em, placeOf(organizationId));
      const [world] = worlds;
      if (!world) throw new Error('The demo has no clock');
      return { token, worlds, world };
    },
  )
  .extend('trustedDocuments', { scope: 'file' }, () => noTrustedDocuments)
  .extend(
    'network',
    { scope: 'file' },
    async ({ database, hub, trustedDocuments }, { onCleanup }) => {
      const gateway = createGateway({
        orm: database.orm,
        hub,
        logger: createLogger('error'),
        production: false,
        operationTimeLimitSeconds: 30,
        webhookAllowPrivate: true,
        trustedDocuments,
      });
      const address = { host: '127.0.0.1', port: 0 };
      const server = await startServer(gateway, address, hub, { trustedDocuments });
      const proxy = await startProxy(server.url);
      onCleanup(async () => {
        await proxy[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      });
      return proxy;
    },
  )
  .extend('origin', { scope: 'file' }, ({ network }) => new URL(network.databaseUrl).origin)
  .extend('open', async ({ browser, demo, origin }, { onCleanup }) => {
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      await Promise.all(contexts.map((context) => context.close()));
    });
    return async (path: string, key: string | null = demo.token): Promise<OpenPage> => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      contexts.push(context);
      context.setDefaultTimeout(longestWaitMilliseconds);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      if (key !== null) {
        await page.addInitScript(`sessionStorage.setItem('tollgate.key', ${JSON.stringify(key)})`);
      }
      await page.goto(`${origin}${path}`);
      return { page, problems };
    };
  });

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const check = `async (source) => {
  (0, eval)(source);
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html).join(' '));
}`;

/** The elements because of which a page is wider than its window. */
const tooWide = `(width) => {
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > width)
    .map((each) => each.tagName + ' ' + each.className + ': ' + each.textContent.slice(0, 60));
}`;

/** The tables of which a part is out of sight at the side. */
const cutTables = `[...document.querySelectorAll('table')].flatMap((table) => {
  for (let at = table.parentElement; at; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).overflowX !== 'visible')
      return [table.getAttribute('aria-label') + ': ' + at.scrollWidth + ' > ' + at.clientWidth];
  return [];
})`;

/** Waits for the colors. The page itself follows another scheme, so their change may begin some frames later. */
const colorsStand = `(async () => {
  for (let frame = 0; frame < 3; frame++) {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
  }
})()`;

/** Each column and each command of a table is in sight on usual screens. */
async function expectWholeTables(page: Page, name: string) {
  for (const width of [1_440, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(cutTables), `${name} at ${width} px`).toEqual([]);
  }
}

/** No serious finding in light and dark colors, whole tables, and nothing that is wider than a telephone. */
export async function expectAccessible(page: Page, name: string) {
  await expectWholeTables(page, name);
  const source = JSON.stringify(await readFile(axe, 'utf8'));
  for (const [scheme, width] of [
    ['light', 1_280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    // Colors change gradually; the check must not see them on their way.
    await page.evaluate(colorsStand);
    expect(await page.evaluate(`(${check})(${source})`), `${name}, ${scheme}, ${width}`).toEqual(
      [],
    );
    expect(await page.evaluate(`(${tooWide})(${width})`), `${name} at ${width} px`).toEqual([]);
  }
}

/** Waits until the page has its rows and follows the feed. */
export async function ready(page: Page) {
  await page.locator('[data-state="live"]').waitFor();
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
}

/** Opens an action in the menu of a page, and returns its dialog. */
export async function choose(page: Page, action: string) {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  return page.getByRole('dialog');
}
