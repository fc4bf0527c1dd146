import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { figuresIn, spreadOf } from './running/figures.ts';
import { runBenchmark } from './running/run-benchmark.ts';

const run = promisify(execFile);
const turns = 3;
const lock = 'package-lock.json';

/**
 * Runs a benchmark with the service of another commit and with this one, in turns. Prints the median of each figure,
 * and the ratio of this checkout to the commit, with its spread over the turns. Both run the benchmark of this checkout.
 * Errors: RangeError for an unknown commit.
 */
export async function compare(commit: string, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-compare-'));
  const checkout = join(folder, 'checkout');
  try {
    await checkOut(commit, checkout);
    await givePackages(checkout);
    await rm(join(checkout, 'bench'), { recursive: true, force: true });
    await cp('bench', join(checkout, 'bench'), { recursive: true });
    const values = { before: new Map<string, number[]>(), now: new Map<string, number[]>() };
    for (let turn = 0; turn < turns; turn++) {
      const order = turn % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
      for (const side of order) {
        const output = await runBenchmark(side === 'before' ? checkout : '.', name);
        for (const { name, value } of figuresIn(output)) {
          values[side].set(name, [...(values[side].get(name) ?? []), value]);
        }
      }
    }
    print(commit, name, values);
  } finally {
    await run('git', ['worktree', 'remove', '--force', checkout]).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** Errors: RangeError for a commit that git does not know. */
async function checkOut(commit: string, checkout: string) {
  const known = run('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`]);
  const { stdout } = await known.catch(() => ({ stdout: '' }));
  if (stdout === '') throw new RangeError(`There is no commit ${commit}`);
  await run('git', ['worktree', 'add', '--detach', checkout, stdout.trim()]);
}

/** The packages of this checkout where they are the same; otherwise the commit's own. */
async function givePackages(checkout: string) {
  const [own, other] = await Promise.all(
    ['.', checkout].map((folder) => readFile(join(folder, lock), 'utf8')),
  );
  if (own === other) await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
  else await run('npm', ['ci'], { cwd: checkout });
}

function print(
  commit: string,
  name: string,
  { before, now }: Record<'before' | 'now', Map<string, number[]>>,
) {
  const width = Math.max(...[...now.keys()].map((name) => name.length), 8);
  const columns = (cells: readonly string[]) => cells.map((cell) => cell.padStart(12)).join('');
  process.stdout.write(
    `${name}, ${turns} turns\n${''.padEnd(width)}${columns([commit.slice(0, 10), 'now', 'ratio'])}  spread\n`,
  );
  for (const [figure, values] of now) {
    const earlier = before.get(figure);
    if (!earlier) continue;
    const ratio = spreadOf(values.map((value, turn) => value / (earlier[turn] ?? Number.NaN)));
    const cells = [spreadOf(earlier).median, spreadOf(values).median].map((value) =>
      value.toLocaleString('en'),
    );
    process.stdout.write(
      `${figure.padEnd(width)}${columns([...cells, ratio.median.toFixed(2)])}  ${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)}\n`,
    );
  }
}
