/** Places for the operations of organizations. */
export interface Turns {
  /** Returns a function that frees the place, at once where there is one for the organization. */
  enter(organizationId: string): (() => void) | Promise<() => void>;
}

interface TurnOptions {
  readonly atOnce: number;
  readonly activeMilliseconds: number;
  readonly longestWaitMilliseconds: number;
  now(): number;
}

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Creates turns: while another organization is active, an organization has at most `atOnce` operations in progress,
 * and its others wait in their order, for `longestWaitMilliseconds`: two that take long stop no others. One that is alone
 * has no limit. An organization is active for `activeMilliseconds` after it has entered; `now` reads a clock in
 * milliseconds.
 */
export function createTurns({
  atOnce,
  activeMilliseconds,
  longestWaitMilliseconds,
  now,
}: TurnOptions): Turns {
  const lines = new Map<string, Line>();
  let last = { organizationId: '', at: Number.NEGATIVE_INFINITY };
  /** The last one to enter that is not the organization of `last`. */
  let other = last;

  return {
    enter(organizationId) {
      if (last.organizationId !== organizationId) other = last;
      last = { organizationId, at: now() };
      const line = lines.get(organizationId) ?? { running: 0, waiting: new Set<() => void>() };
      lines.set(organizationId, line);
      if (line.waiting.size === 0 && hasPlace(organizationId, line))
        return begin(organizationId, line);
      return new Promise((resolve) => {
        const start = () => {
          clearTimeout(longest);
          line.waiting.delete(start);
          resolve(begin(organizationId, line));
        };
        const longest = setTimeout(start, longestWaitMilliseconds);
        line.waiting.add(start);
      });
    },
  };

  function hasPlace(organizationId: string, { running }: Line) {
    const another = last.organizationId === organizationId ? other : last;
    return running < atOnce || now() - another.at >= activeMilliseconds;
  }

  function begin(organizationId: string, line: Line) {
    line.running += 1;
    return () => {
      line.running -= 1;
      for (const start of line.waiting) {
        if (!hasPlace(organizationId, line)) break;
        start();
      }
      if (line.running === 0) lines.delete(organizationId);
    };
  }
}
