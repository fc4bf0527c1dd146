import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['src', 'schema', 'rest'];
const others = ['package.json', 'package-lock.json', 'mikro-orm.config.ts'];

/**
 * The file that runs a program of this repository: that of the bundle, which is built anew where a source is newer.
 * Without the tools to build, and with `TOLLGATE_RUN=sources`, it is the source itself.
 *
 * @param {string} root the folder of the project
 * @param {string} program such as `src/main.ts`; any other file is returned as it is
 * @returns {string}
 */
export function bundledProgram(root, program) {
  if (!/^src\/\w+\.ts$/.test(program)) return program;
  const source = join(root, program);
  // biome-ignore lint/style/noProcessEnv: this runs before the settings are read
  if (process.env.TOLLGATE_RUN === 'sources') return source;
  const bundled = join(root, 'src', 'dist', program.replace(/\.ts$/, '.js'));
  if (isFresh(root, bundled)) return bundled;
  const canBuild = existsSync(join(root, 'node_modules', 'rolldown'));
  if (!canBuild) return existsSync(bundled) && !hasSources(root) ? bundled : source;
  process.stderr.write('Bundling the service, since its sources have changed\n');
  spawnSync(process.execPath, [join(root, 'src', 'bundle.ts')], { stdio: 'inherit', cwd: root });
  return isFresh(root, bundled) ? bundled : source;
}

/**
 * Whether the file of a bundle is newer than all sources.
 *
 * @param {string} root the folder of the project
 * @param {string} bundled the file
 * @returns {boolean}
 */
export function isFresh(root, bundled) {
  if (!existsSync(bundled)) return false;
  const made = statSync(bundled).mtimeMs;
  const newer = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs > made;
  return (
    !others.some((name) => newer(join(root, name))) &&
    !sources.some((folder) => hasNewer(join(root, folder), newer))
  );
}

/** Folders count, too: theirs is the only trace of a file that was removed. */
function hasNewer(folder, newer) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name !== 'dist' && (newer(file) || hasNewer(file, newer));
    }
    return /\.[jt]s$/.test(entry.name) && newer(file);
  });
}

const hasSources = (root) => existsSync(join(root, 'src', 'main.ts'));
