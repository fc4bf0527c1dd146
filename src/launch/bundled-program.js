import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, sourcesOf } from './sources.js';

/**
 * The file that runs a program of this repository: that of the bundle, which is built anew where its sources have
 * changed. Without the tools to build, and with `TOLLGATE_RUN=sources`, it is the source itself.
 *
 * @param {string} root the folder of the project
 * @param {string} program such as `src/main.ts`; any other file is returned as it is
 * @returns {string}
 */
export function bundledProgram(root, program) {
  if (!isInBundle(program)) return program;
  const present = freshBundle(root, program);
  if (present || !existsSync(join(root, 'node_modules', 'rolldown')) || runsSources()) {
    return present ?? join(root, program);
  }
  process.stderr.write('Bundling the service, since its sources have changed\n');
  spawnSync(process.execPath, [join(root, 'src', 'bundle.ts')], { stdio: 'inherit', cwd: root });
  return freshBundle(root, program) ?? join(root, program);
}

/**
 * The file of a program in a bundle of the present sources, which runs without development packages. An installed
 * package has no sources, so its bundle is always the present one.
 *
 * @param {string} root the folder of the project
 * @param {string} program such as `src/main.ts`
 * @returns {string | undefined}
 */
export function freshBundle(root, program) {
  if (!isInBundle(program) || runsSources()) return undefined;
  const bundled = join(root, 'src', 'dist', program.replace(/\.ts$/, '.js'));
  const isPackage = !existsSync(join(root, program));
  return isPackage || isFresh(root, bundled) ? bundled : undefined;
}

const isInBundle = (program) => /^src\/\w+\.ts$/.test(program);

// biome-ignore lint/style/noProcessEnv: this runs before the settings are read
const runsSources = () => process.env.TOLLGATE_RUN === 'sources';

/**
 * Whether a file of the bundle is made from the present sources. It is where it is newer than all of them. A copy and a
 * checkout renew the times of files, so their content decides otherwise.
 */
function isFresh(root, bundled) {
  if (!existsSync(bundled)) return false;
  const sources = sourcesOf(root);
  const made = statSync(bundled).mtimeMs;
  if (sources.every(({ modified }) => modified <= made)) return true;
  const digest = join(root, 'src', 'dist', 'digest');
  if (!existsSync(digest) || readFileSync(digest, 'utf8') !== digestOf(root)) return false;
  renew(bundled);
  return true;
}

/** The next start need not read the sources again. */
function renew(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder may be read-only: each start reads the sources then.
  }
}
