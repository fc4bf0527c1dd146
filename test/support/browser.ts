import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program of a Chromium on this machine; undefined without one. */
export const chromiumPath = paths.find((path) => existsSync(path));

/** Starts a Chromium without a window, which looks nothing up in the network. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? 'chromium',
    // The sandbox of Chromium does not start for the user root, as which containers run tests.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
