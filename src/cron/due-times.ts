import cron from 'node-cron';

/** A process that was busy for longer leaves out what was due before. */
const longestSeconds = 30;

/** The library's own console lines would mix with the log's lines, which are JSON. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

type Match = (second: Date) => boolean;

const matches = new Map<string, Match>();

/** Whether a cron expression, in UTC, is due at a second. */
function matchOf(pattern: string): Match {
  const known = matches.get(pattern);
  if (known) return known;
  const task = cron.createTask(pattern, () => {}, { timezone: 'UTC', logger: silent });
  const match: Match = (second) => task.match(second);
  matches.set(pattern, match);
  return match;
}

/** Errors: Error for an invalid cron expression. */
export function requirePattern(pattern: string) {
  matchOf(pattern);
}

/**
 * The last time at which a cron expression was due after one instant, up to another; undefined for none. Instants of a
 * clock that was set back have nothing between them, and those of one that was set forward only the last seconds.
 */
export function dueBetween(pattern: string, after: Date, until: Date): Date | undefined {
  const last = Math.floor(until.getTime() / 1_000);
  const first = Math.max(Math.floor(after.getTime() / 1_000), last - longestSeconds);
  for (let second = last; second > first; second--) {
    const due = new Date(second * 1_000);
    if (matchOf(pattern)(due)) return due;
  }
  return undefined;
}
