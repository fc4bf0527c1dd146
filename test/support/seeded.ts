import fc, { type IAsyncProperty } from 'fast-check';

/** Parameters of a property whose seed is printed, so that a failure can be reproduced. */
export function seeded<T extends object>(name: string, parameters?: T) {
  const seed = Date.now();
  process.stdout.write(`${name} seed ${seed}\n`);
  return { seed, ...parameters };
}

/**
 * Tries a property for so long, and at least so often, however slow the machine is. Each try has a seed of its
 * own, which a failure tells.
 */
export async function tried<T>(
  name: string,
  property: IAsyncProperty<T>,
  { atLeast, milliseconds }: { atLeast: number; milliseconds: number },
) {
  const { seed } = seeded(name);
  const end = performance.now() + milliseconds;
  for (let count = 0; count < atLeast || performance.now() < end; count++) {
    await fc.assert(property, { seed: seed + count, numRuns: 1, endOnFailure: true });
  }
}
