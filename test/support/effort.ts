// biome-ignore lint/style/noProcessEnv: a longer run, or another seed, is asked for by name
const { EFFORT = '1', SEED } = process.env;

/** How many times as much as usual random tests try: `EFFORT=5 npm test -- property crash`. */
export const effort = Number(EFFORT);

const usualSeed = 20_260_101;

/**
 * The seed of every random test. It is always the same, so that a change is not blamed for what another seed would
 * have found before it. With EFFORT it is a new one; `SEED=… npm test -- property` names one.
 */
export const seed = SEED ? Number(SEED) : effort === 1 ? usualSeed : Date.now() % 2 ** 31;
