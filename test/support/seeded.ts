/** Parameters of a property whose seed is told, so that what has failed can be tried again. */
export function seeded<T extends object>(name: string, parameters?: T) {
  const seed = Date.now();
  process.stdout.write(`${name} seed ${seed}\n`);
  return { seed, ...parameters };
}
