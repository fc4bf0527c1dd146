import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '#config';

const run = promisify(execFile);
/** Others may read the packages, since PostgreSQL does not run as root, but not write them. */
const shelf = path.join('/var/tmp', `tollgate-engines-${process.getuid?.() ?? 'user'}`);

/**
 * Unpacks packages of a release of Debian, with all that they need, into a separate folder, once. It needs no
 * right to install. Returns the folder; undefined where Debian's packages are not available. Errors: ConfigError.
 */
export async function unpack(release: string, ...names: string[]): Promise<string | undefined> {
  const folder = path.join(shelf, [release, ...names].join('+'));
  if (existsSync(folder)) {
    await refuseForeign(shelf);
    return folder;
  }
  const site = await debianSite();
  if (!site) return undefined;
  try {
    await fetchInto(folder, `deb [signed-by=${keyring}] ${site} ${release} main`, names);
    return folder;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { message } = error as Error;
    process.stderr.write(`The packages ${names.join(', ')} could not be fetched: ${message}\n`);
    return undefined;
  }
}

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Errors: ConfigError for a folder in which another user could have put programs. */
async function refuseForeign(folder: string) {
  const { uid, mode } = await stat(folder);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) return;
  throw new ConfigError(`${folder} belongs to another user or can be written by others: remove it`);
}

/** The code name of the release of this machine; undefined on a system that is not Debian. */
export async function debianRelease(): Promise<string | undefined> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID="?debian"?$/m.test(text)) return undefined;
  return /^VERSION_CODENAME="?(\w+)"?$/m.exec(text)?.[1];
}

/** The address from which this machine gets Debian's packages; undefined on another system. */
async function debianSite(): Promise<string | undefined> {
  try {
    const { stdout } = await run('apt-get', [
      'indextargets',
      '--format',
      '$(REPO_URI)',
      'Created-By: Packages',
    ]);
    return process.arch === 'x64'
      ? stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri))
      : undefined;
  } catch {
    // Without apt-get it is another system.
    return undefined;
  }
}

/** Fetches packages and all that they need, with lists of their own, and unpacks them. */
async function fetchInto(folder: string, source: string, names: readonly string[]) {
  await mkdir(shelf, { recursive: true, mode: 0o755 });
  await refuseForeign(shelf);
  const work = await mkdtemp(path.join(shelf, 'fetching-'));
  try {
    for (const each of ['lists/partial', 'cache/archives/partial', 'root']) {
      await mkdir(path.join(work, each), { recursive: true });
    }
    await writeFile(path.join(work, 'status'), '');
    await writeFile(path.join(work, 'sources.list'), `${source}\n`);
    const configuration = `Dir::Etc::sourcelist "${work}/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "${work}/lists";
Dir::State::status "${work}/status";
Dir::Cache "${work}/cache";
APT::Sandbox::User "";
`;
    await writeFile(path.join(work, 'apt.conf'), configuration);
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', APT_CONFIG: path.join(work, 'apt.conf') };
    await run('apt-get', ['update', '-qq'], { env });
    const download = ['install', '-y', '-qq', '--no-install-recommends', '--download-only'];
    await run('apt-get', [...download, ...names], { env });
    const archives = path.join(work, 'cache/archives');
    for (const file of await readdir(archives)) {
      if (!file.endsWith('.deb')) continue;
      await run('dpkg', ['-x', path.join(archives, file), path.join(work, 'root')], { env });
    }
    await run('chmod', ['755', path.join(work, 'root')]);
    await rename(path.join(work, 'root'), folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
