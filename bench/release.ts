import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '#root';
import { type ReleaseState, releaseProblems } from './release-problems.ts';

/**
 * `npm run release` checks that the version may be released, and makes its tag `vX.Y.Z`. Nothing is pushed. The exit
 * code is 1 where something keeps it from being released.
 */
const manifests = [
  'package.json',
  ...globSync(['dashboard/package.json', 'dashboard/{client,adapters/*}/package.json'], {
    cwd: root,
  }),
];

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

const state: ReleaseState = {
  changes: git('status', '--porcelain'),
  versions: Object.fromEntries(
    manifests.map((file) => [file, (JSON.parse(textOf(file)) as { version: string }).version]),
  ),
  changelog: textOf('CHANGELOG.md'),
  tags: git('tag', '--list').split('\n'),
};

const problems = releaseProblems(state);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else {
  execFileSync('npm', ['run', 'check'], { cwd: root, stdio: 'inherit' });
  const version = state.versions['package.json'];
  git('tag', '--annotate', `v${version}`, '--message', `Tollgate ${version}`);
  process.stdout.write(`The tag v${version} is made. git push origin v${version} publishes it\n`);
}
