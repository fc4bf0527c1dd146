import fc, { type IAsyncProperty } from 'fast-check';
import { effort, seed } from './effort.ts';

/** Parameters of a property whose seed is printed, so that a failure can be reproduced. */
export function seeded<T extends object>(name: string, parameters?: T) {
  process.stdout.write(`${name} seed ${seed}\n`);
  return { seed, ...parameters };
}

/**
 * Runs a property for a time, and at least a number of times, however slow the machine is. `EFFORT` multiplies both.
 * Each run has its own seed, which a failure shows.
 */
export async function tried<T>(
  name: string,
  property: IAsyncProperty<T>,
  { atLeast, milliseconds }: { atLeast: number; milliseconds: number },
) {
  seeded(name);
  const end = performance.now() + effort * milliseconds;
  for (let count = 0; count < effort * atLeast || performance.now() < end; count++) {
    await fc.assert(property, { seed: seed + count, numRuns: 1 });
  }
}
