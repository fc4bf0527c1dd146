import { readFile } from 'node:fs/promises';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The imports of files that take long, with the milliseconds that such a file takes at least. */
const slow: readonly (readonly [RegExp, number])[] = [
  [/support\/(process\.ts|servers\/(cells|standby|small-disk)|stripe\/)/, 60_000],
  [/support\/(browser|screen\/dashboard)\.ts'/, 60_000],
  [/from 'fast-check'/, 30_000],
];

const millisecondsPerCharacter = 1;

/**
 * Begins with the slowest files, so that a run does not end with one long file on one core. Vitest's stored durations
 * of earlier runs order the files. A file without one is judged by its text: its size, and whether it starts processes
 * or follows random scripts.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timed = await Promise.all(
      files.map(async (file) => ({ file, duration: await this.#durationOf(file) })),
    );
    return timed.toSorted((one, other) => other.duration - one.duration).map(({ file }) => file);
  }

  async #durationOf(file: TestSpecification): Promise<number> {
    const stored = this.ctx.cache.getTestSpecificationResult(file);
    return stored?.duration || likelyDuration(await readFile(file.moduleId, 'utf8'));
  }
}

/** The milliseconds that a file of tests takes, as its text lets one expect. */
function likelyDuration(text: string): number {
  const longest = Math.max(0, ...slow.map(([pattern, least]) => (pattern.test(text) ? least : 0)));
  return longest + text.length * millisecondsPerCharacter;
}
