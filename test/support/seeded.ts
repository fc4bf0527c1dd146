import fc, { type IAsyncProperty } from 'fast-check';
import { effort, seed } from './effort.ts';

/** Parameters of a property whose seed is printed, so that a failure can be reproduced. */
export function seeded<T extends object>(name: string, parameters?: T) {
  process.stdout.write(`${name} seed ${seed}\n`);
  return { seed, ...parameters };
}

/**
 * Runs a property a fixed number of times, each with its own seed, which a failure shows. With `EFFORT` it runs as many
 * times more, and until the multiplied time is over.
 */
export async function tried<T>(
  name: string,
  property: IAsyncProperty<T>,
  { cases, milliseconds }: { cases: number; milliseconds: number },
) {
  seeded(name);
  const end = effort > 1 ? performance.now() + effort * milliseconds : 0;
  for (let count = 0; count < effort * cases || performance.now() < end; count++) {
    await fc.assert(property, { seed: seed + count, numRuns: 1 });
  }
}
