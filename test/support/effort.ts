// biome-ignore lint/style/noProcessEnv: a longer run is asked for by name
const { EFFORT = '1' } = process.env;

/** How many times as much as usual random tests try: `EFFORT=5 npm test -- property crash`. */
export const effort = Number(EFFORT);
