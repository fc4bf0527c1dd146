import { spawn } from 'node:child_process';
import { type Config, readConfig } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { createKey } from '../keys/commands.ts';
import { addressBelow, serviceAddress } from '../service-address.ts';
import type { Terminal } from '../terminal.ts';
import { openToolDatabase } from '../tool-database.ts';

const keyDays = 1;

/**
 * Prints a link that signs in to the dashboard with the key of the environment, or with a new one of a day. The key is
 * behind the `#` of the link, which browsers send to no server. Errors: those of the database.
 */
export async function runOpen(terminal: Terminal, { opensBrowser }: { opensBrowser: boolean }) {
  const { KEY: given, ...environment } = terminal.environment;
  const config = given ? undefined : readConfig(environment);
  const key = given || (await newKey(config as Config));
  const service = environment.URL
    ? serviceAddress(environment)
    : new URL(config?.publicUrl ?? serviceAddress(environment));
  const link = `${addressBelow(service, '/')}#key=${key}`;
  terminal.tell(
    given ? 'The link has the key of the environment:\n' : 'The link is valid for a day:\n',
  );
  terminal.print(`${link}\n`);
  if (opensBrowser) openBrowser(link, environment);
}

/** A key for test mode, also while a process of the service runs on the same database. */
async function newKey(config: Config): Promise<string> {
  await using opened = new AsyncDisposableStack();
  const preparation = { now: new Date(), currency: config.bootstrapCurrency, withoutKey: true };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const { token } = await createKey(
    orm.em.fork(),
    {
      command: 'create',
      name: 'Link to the dashboard',
      type: 'secret',
      live: false,
      pricingModelId: undefined,
      expiresInDays: keyDays,
    },
    await presentOf(orm.em),
  );
  return token;
}

/** Opens a link where the machine has a browser; the printed link is there in any case. */
function openBrowser(link: string, { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv) {
  const hasScreen = process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY;
  const [file, ...args] = commands[process.platform] ?? ['xdg-open'];
  if (!hasScreen || !file) return;
  spawn(file, [...args, link], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
}

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
