import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: they start processes, or follow long random scripts. */
const slow = /(process|faults|crash|property|embedded-postgres)\.test\.ts$/;

/**
 * Begins with the slowest files, so that a run does not end with one long file on one core. Vitest's stored durations
 * of earlier runs order the rest; a fresh checkout has none, and orders by size.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
