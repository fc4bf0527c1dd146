import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: they start processes, or follow long random scripts. */
const slow = /(process|faults|crash|property|embedded-postgres)\.test\.ts$/;

/**
 * Begins with the slowest files, so that the last minute of a run is not one long file on one core. Durations of
 * earlier runs, where vitest has kept them, order the rest; a fresh checkout has none, and goes by size.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
