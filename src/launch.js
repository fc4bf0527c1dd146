import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDashboard, canBuild } from './launch/build-dashboard.js';
import { bundledProgram, freshBundle } from './launch/bundled-program.js';
import { installNode, packagedNode } from './launch/install-node.js';
import { linkCommand } from './launch/link-command.js';
import { linkPostgres } from './launch/link-postgres.js';
import { oneAtATime } from './launch/one-at-a-time.js';
import { usePackages } from './launch/packages.js';
import { run, say } from './launch/run.js';

/**
 * Starts a program of this repository: `node src/launch.js <file> [arguments]`. It runs in any Node, also in
 * an old one of the machine, and on Windows; the program itself needs the version below. Where this Node is
 * older, the one of the package `node` takes over. Packages that are missing or older than the lockfile are installed
 * first, unless TOLLGATE_INSTALL is `never`.
 */
const needed = [24, 9];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
// biome-ignore lint/style/noProcessEnv: npm sets some of it for its scripts, and no setting can be read before there are packages
const environment = process.env;

const [program = '', ...rest] = process.argv.slice(2);
const packaged = packagedNode(root);
/** npm runs `prepare` itself, at the end of an installation. */
const isPrepare = environment.npm_lifecycle_event === 'prepare';
const isTest = program.startsWith('test/');

if (await isPrepared()) {
  endWithShell();
  // Compiled code is kept between starts.
  module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'node'));
  const file = resolve(root, bundledProgram(root, program));
  process.argv.splice(1, 2, file);
  await import(pathToFileURL(file).href);
}

/** Whether the program can run in this process; otherwise it has run in another one, or the reason is printed. */
async function isPrepared() {
  try {
    const allowed = mayInstall();
    const development = freshBundle(root, program) === undefined;
    if (!isPrepare) await usePackages(root, { development, allowed });
    if (!isNewEnough(process.versions.node)) return await startPackaged(allowed);
    linkPostgres(root);
    linkCommand(root);
    if (program === 'dashboard/build.ts' && !canBuild(root)) return refuseBuild();
    if (isTest || startsService()) await buildDashboard(root);
    return true;
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
    return false;
  }
}

/** Whether the program serves the dashboard. */
function startsService() {
  if (program === 'src/tollgate.ts') return rest[0] === 'start';
  return program === 'src/main.ts' && rest[0] !== 'cron';
}

function mayInstall() {
  const { TOLLGATE_INSTALL: text = '' } = environment;
  if (['', 'auto', 'never'].includes(text)) return text !== 'never';
  throw new Error(`TOLLGATE_INSTALL must be auto or never, and is ${text}`);
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/** Starts the program in the packaged Node, which is installed where none is new enough. */
async function startPackaged(allowed) {
  const isThere = existsSync(join(root, 'node_modules', 'node'));
  if (!existsSync(packaged) && allowed && isThere) {
    say(`Installing Node ${needed[0]}, since this is ${process.versions.node}`);
    // An installation that runs `prepare` keeps others waiting already.
    await (isPrepare ? installNode(root) : oneAtATime(root, () => installNode(root)));
  }
  if (!existsSync(packaged) || process.execPath === packaged) {
    throw new Error(
      `Tollgate needs Node ${needed.join('.')} or newer and this is ${process.versions.node}: install Node 24 from https://nodejs.org, or its package by \`npm ci\` without --omit=dev.`,
    );
  }
  process.exitCode = await run(packaged, process.argv.slice(1), { stdio: 'inherit' });
  return false;
}

/** An installation without development packages succeeds; a build that was asked for does not. */
function refuseBuild() {
  say(
    'The dashboard is not built: its build tool is a development package. `npm ci --include=dev` installs it; the folder dashboard/dist of another installation serves as well.',
  );
  if (!isPrepare) process.exitCode = 1;
  return false;
}

/**
 * npm runs this below a shell and passes SIGTERM to the shell only, which ends at once on some systems. The
 * program then gets the signal here; `exec` in the script would do the same, but not on Windows.
 */
function endWithShell() {
  if (windows || !environment.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
