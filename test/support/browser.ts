import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** The headless shell is first: without the parts of a window, pages take a fifth of the time. */
const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The program of a Chromium on this machine; undefined without one. */
const chromiumPath = paths.find((path) => existsSync(path));

/** Whether pages can be opened on this machine. */
export const isBrowserHere = chromiumPath !== undefined;

/** Starts a Chromium without a window, which looks nothing up in the network. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? 'chromium',
    // The sandbox of Chromium does not start for the user root, as which containers run tests.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });

/**
 * Describes pages in a browser; without a Chromium they are skipped. A machine with too much work makes pages late, so
 * a test that fails is repeated once, and the report names it. A page that is wrong fails twice.
 */
export const inBrowser = (name: string, tests: () => void, timeout = 600_000) =>
  describe.skipIf(!chromiumPath)(name, { retry: 1, timeout }, tests);
