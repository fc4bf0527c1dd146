import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import { openBrowser } from '../../support/browser.ts';
import { test as base, serve } from './service.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A test with a browser, and with the address of a service. */
export const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('service', { scope: 'file' }, async ({ database, hub }, { onCleanup }) => {
    const server = await serve(database.orm, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    useServiceUrl(`${server.url}`);
    return `${server.url}`.replace(/\/$/, '');
  });

/** A page has no serious finding, no text that is wider than it, and no script. */
export async function checked(page: Page, name: string) {
  for (const [scheme, width] of [
    ['light', 1_200],
    ['dark', 1_200],
    ['light', 360],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    // The page itself runs no script: the check does, as a tool of the browser.
    const found = await page.evaluate(`(${run})(${JSON.stringify(await readFile(axe, 'utf8'))})`);
    expect(found, `${name}, ${scheme}, ${width} px`).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
  }
}

const run = `async (source) => {
  (0, eval)(source);
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
}`;

/** Presses Tab until an element has the focus whose name matches, then Enter, and waits for the next address. */
export async function press(page: Page, name: RegExp, next?: RegExp) {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()',
    );
    if (name.test(String(focused))) {
      await page.keyboard.press('Enter');
      if (next) await page.waitForURL(next);
      return;
    }
  }
  throw new Error(`No element ${name} on ${page.url()}`);
}

/** The link to the portal of the customer, as a field of its billing details. */
export async function linkOf(service: string, key: string, field: string): Promise<string> {
  const query = `{ customerBilling(externalId: "ada") { link: ${field} } }`;
  const answer = await fetch(`${service}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await answer.json()) as {
    data: { customerBilling: { link: string } };
    errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return data.customerBilling.link;
}
