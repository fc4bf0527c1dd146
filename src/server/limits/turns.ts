/** Places for the operations of organizations. */
export interface Turns {
  /** Returns a function that frees the place, at once where there is one for the organization. */
  enter(organizationId: string): (() => void) | Promise<() => void>;
}

interface Line {
  running: number;
  readonly waiting: ((leave: () => void) => void)[];
}

/**
 * Creates turns: while another organization is active, an organization has at most `atOnce` operations in progress,
 * and its others wait in their order. One that is alone has no limit. An organization is active for `activeMilliseconds`
 * after it has entered; `now` reads a clock in milliseconds.
 */
export function createTurns(atOnce: number, activeMilliseconds: number, now: () => number): Turns {
  const lines = new Map<string, Line>();
  let last = { organizationId: '', at: Number.NEGATIVE_INFINITY };
  /** The last one to enter that is not the organization of `last`. */
  let other = last;

  return {
    enter(organizationId) {
      if (last.organizationId !== organizationId) other = last;
      last = { organizationId, at: now() };
      const line = lines.get(organizationId) ?? { running: 0, waiting: [] };
      lines.set(organizationId, line);
      if (line.waiting.length === 0 && hasPlace(organizationId, line))
        return begin(organizationId, line);
      return new Promise((resolve) => line.waiting.push(resolve));
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
      while (line.waiting.length > 0 && hasPlace(organizationId, line))
        line.waiting.shift()?.(begin(organizationId, line));
      if (line.running === 0) lines.delete(organizationId);
    };
  }
}
