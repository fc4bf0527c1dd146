const stepMilliseconds = 100;
/** Of a longer pause between two looks at the clock, this much counts. */
const longestStepMilliseconds = 2 * stepMilliseconds;

let ran = 0;
let lookedAt: number | undefined;

/**
 * The milliseconds for which this process has run, for the limits of waits. A pause in which the process was frozen, or
 * too busy for its timers, counts as one step: an answer may have arrived meanwhile, and is read first.
 */
export function runningTime(): number {
  if (lookedAt === undefined) setInterval(look, stepMilliseconds).unref();
  look();
  return ran;
}

function look() {
  const now = performance.now();
  ran += Math.min(now - (lookedAt ?? now), longestStepMilliseconds);
  lookedAt = now;
}
