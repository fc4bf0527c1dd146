import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lackOf, placesOf } from './lockfile.js';
import { oneAtATime } from './one-at-a-time.js';
import { runNpm, say } from './run.js';

const progressMilliseconds = 10_000;

/**
 * How each lack is repaired. Packages that are only older are replaced in place, because a process of the service may
 * run on the others.
 */
const repairs = {
  missing: { what: 'Installing the packages', command: ['ci'] },
  older: {
    what: 'Updating the packages, which are older than package-lock.json',
    command: ['install', '--no-save'],
  },
  development: {
    what: 'Installing the development packages',
    command: ['install', '--no-save'],
  },
};

/**
 * Brings the packages of a folder to the state of its lockfile, where they are not. `development` asks for those that
 * build and test, too. With `allowed` false nothing is installed. Errors: the packages are missing, or npm fails.
 */
export async function usePackages(folder, { development = false, allowed = true } = {}) {
  const lack = lackOf(folder, { development });
  if (!lack) return;
  if (!allowed) return refuse(lack, folder);
  await oneAtATime(folder, async () => {
    // Another process may have installed them meanwhile.
    const left = lackOf(folder, { development });
    if (left) await install(folder, repairs[left], development ? ['--include=dev'] : []);
  });
}

async function install(folder, { what, command }, extent) {
  const places = placesOf(folder);
  const isThere = (place) => existsSync(join(folder, place, 'package.json'));
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1_000)} s`;
  say(`${what} in ${folder}: npm ${command.join(' ')}`);
  const progress = setInterval(
    () =>
      say(`  ${seconds()}: ${places.filter(isThere).length} of up to ${places.length} packages`),
    progressMilliseconds,
  );
  try {
    const code = await runNpm(folder, [...command, ...extent, '--no-audit', '--no-fund']);
    if (code !== 0) {
      throw new Error(
        `npm ${command.join(' ')} has failed in ${folder} with exit code ${code}. Repair what it names above and start again, or install the packages yourself: TOLLGATE_INSTALL=never switches this off.`,
      );
    }
  } finally {
    clearInterval(progress);
  }
  say(`The packages are installed, after ${seconds()}`);
}

function refuse(lack, folder) {
  if (lack === 'older') {
    return say(`The packages in ${folder} are older than package-lock.json: run \`npm ci\`.`);
  }
  throw new Error(
    lack === 'missing'
      ? `The packages in ${folder} are not installed: run \`npm ci\` first.`
      : `The development packages, which build and test the service, are not installed in ${folder}: run \`npm ci --include=dev\` first.`,
  );
}
