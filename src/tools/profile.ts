import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Terminal } from './terminal.ts';
import { UsageError, UserError } from './user-error.ts';

const profilesInput = z.record(
  z.string(),
  z.strictObject({ url: z.url(), key: z.string().min(1).optional() }),
);

type Called = Pick<Terminal, 'args' | 'environment'>;

/**
 * Takes `--profile NAME` out of the arguments, and puts the address and the key of this profile into the environment.
 * Errors: UserError.
 */
export async function withProfile({ args, environment }: Called): Promise<Called> {
  const at = args.findIndex((word) => word === '--profile' || word.startsWith('--profile='));
  if (at === -1) return { args, environment };
  const [, inWord] = (args[at] ?? '').split('=');
  const name = inWord ?? args[at + 1];
  if (!name) throw new UsageError('--profile takes a name');
  const file = fileIn(environment);
  const profiles = await readProfiles(file);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile) {
    const names = Object.keys(profiles).join(', ');
    throw new UserError(`${file} has no profile ${name}. Its profiles are ${names}`);
  }
  return {
    args: args.toSpliced(at, inWord === undefined ? 2 : 1),
    environment: { ...environment, URL: profile.url, ...(profile.key && { KEY: profile.key }) },
  };
}

const fileIn = ({ XDG_CONFIG_HOME: folder, HOME: home = homedir() }: NodeJS.ProcessEnv) =>
  path.join(folder || path.join(home, '.config'), 'tollgate', 'profiles.json');

async function readProfiles(file: string) {
  try {
    return profilesInput.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const { message } =
      error instanceof z.ZodError ? { message: z.prettifyError(error) } : (error as Error);
    throw new UserError(
      `${file} cannot be used: ${message}. It must be as {"production": {"url": "https://…", "key": "sk_live_…"}}`,
    );
  }
}
