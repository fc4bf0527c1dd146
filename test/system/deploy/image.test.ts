// @module-tag long
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyUrl } from '../../support/database.ts';
import { freePorts } from '../../support/fleet/free-ports.ts';
import { templateKey, testSecretsKey } from '../../support/secrets.ts';

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, '../../..');
const base = 'docker.io/library/node:24-bookworm-slim';
const image = 'localhost/tollgate-test';

const canBuild =
  process.getuid?.() === 0 &&
  ['/usr/bin/buildah', '/usr/bin/mmdebstrap'].every((program) => existsSync(program));

/** Runs buildah without the features of a kernel that a container lacks. */
const buildah = (...args: string[]) =>
  run('/usr/bin/buildah', ['--storage-driver', 'vfs', ...args], {
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: homedir(), BUILDAH_ISOLATION: 'chroot' },
  });

/** Makes the base of the recipe from Debian's packages, this Node and the npm of the machine: no registry is asked. */
async function makeBase(folder: string) {
  const tree = path.join(folder, 'base.tar');
  await run('/usr/bin/mmdebstrap', [
    ...['--variant=minbase', '--include=ca-certificates', '--mode=root'],
    ...['bookworm', tree],
  ]);
  const bin = path.join(folder, 'local/bin');
  const modules = path.join(folder, 'local/lib/node_modules');
  await mkdir(bin, { recursive: true });
  await cp(process.execPath, path.join(bin, 'node'));
  const { stdout: global } = await run('npm', ['root', '--global']);
  await cp(path.join(global.trim(), 'npm'), path.join(modules, 'npm'), { recursive: true });
  const npm = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  await writeFile(path.join(bin, 'npm'), npm, { mode: 0o755 });
  const container = (await buildah('from', 'scratch')).stdout.trim();
  await buildah('add', container, tree, '/');
  await buildah('add', container, path.join(folder, 'local'), '/usr/local');
  await buildah('run', container, '--', 'useradd', '--uid', '1000', '--create-home', 'node');
  await trustOurs(container);
  await buildah('commit', container, base);
  await buildah('rm', container);
}

/** Lets the base trust whom this machine trusts, such as a proxy of its network. */
async function trustOurs(container: string) {
  // biome-ignore lint/style/noProcessEnv: a fact about this machine
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return;
  const to = '/usr/local/share/own.pem';
  await buildah('add', container, file, to);
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${to}`, container);
}

/** Builds the recipe from the committed files, with npm's settings of this machine. */
async function build(folder: string) {
  const context = path.join(folder, 'context');
  await mkdir(context);
  const archive = path.join(folder, 'context.tar');
  await run('git', ['archive', '--output', archive, 'HEAD'], { cwd: repository });
  await run('tar', ['-xf', archive, '-C', context]);
  const ours = [path.join(homedir(), '.npmrc')].filter((file) => existsSync(file));
  await buildah(
    ...['bud', '--pull-never', '--tag', image],
    ...ours.flatMap((file) => ['--volume', `${file}:${file}:ro`]),
    ...['--file', path.join(context, 'src/deploy/Containerfile')],
    ...['--ignorefile', path.join(context, 'src/deploy/Containerfile.dockerignore')],
    context,
  );
}

/** Starts a container of the image, and waits for it. */
async function start(databaseUrl: string, port: number) {
  const container = (await buildah('from', '--pull-never', image)).stdout.trim();
  const settings = {
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_SECRET_KEY: templateKey,
    SECRETS_KEY: testSecretsKey,
    PUBLIC_URL: 'https://billing.example.com',
    PORT: String(port),
  };
  const environment = Object.entries(settings).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  const command = ['node', 'src/launch.js', 'src/main.ts'];
  const running = execFile(
    '/usr/bin/buildah',
    ['--storage-driver', 'vfs', 'run', ...environment, container, '--', ...command],
    {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: homedir(), BUILDAH_ISOLATION: 'chroot' },
    },
  );
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await buildah('rm', container);
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${url}/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  return { url, running };
}

describe.skipIf(!canBuild)('The image', () => {
  test('is built by its recipe, serves without root, and finds its data after it was killed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-image-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    onTestFinished(async () => void (await buildah('rmi', image, base)));
    await makeBase(folder);
    await build(folder);
    const [first = 0, second = 0] = await freePorts(2);
    const databaseUrl = await emptyUrl();
    const before = await start(databaseUrl, first);
    const headers = { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' };
    const customer = { externalId: 'ada', name: 'Ada', email: 'ada@example.com' };
    const made = await fetch(`${before.url}/api/v1/customers`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ customer }),
    });
    expect(made.status).toBe(200);
    before.running.kill('SIGKILL');
    const after = await start(databaseUrl, second);
    const read = await fetch(`${after.url}/api/v1/customers/ada`, { headers });
    expect(read.status).toBe(200);
    // A process that is started by root has its own line: only those of Node itself count.
    const { stdout } = await run('ps', ['-eo', 'uid,args']);
    const served = stdout.matchAll(/^ *(\d+) (?:\/usr\/local\/bin\/)?node .*src\/main/gm);
    expect([...new Set([...served].map(([, uid]) => uid))]).toEqual(['1000']);
  });
});
