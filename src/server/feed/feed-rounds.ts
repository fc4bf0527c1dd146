/** How many feeds a round reads at a time; each uses a connection. */
const lanes = 4;
/** The same of all rounds together, since a feed that is slow stays behind while the next round runs. */
const mostReads = 8;
/** How long a round waits for a slow feed. */
const patienceMilliseconds = 250;

/** Reads of many feeds in rounds. */
export interface FeedRounds {
  /**
   * Reads each feed that waits at the start of the round and is not being read. Resolves when they are read, or when a
   * slow one has used up the patience for it. A slow read continues, and no second read of its feed starts meanwhile.
   */
  readWaiting(): Promise<void>;
  /** Resolves when nothing is being read any more. */
  ended(): Promise<void>;
}

/** `waiting` contains the keys of feeds to read; a key leaves it when its read starts. `read` must not fail. */
export function createFeedRounds(
  waiting: Set<string>,
  read: (key: string) => Promise<void>,
): FeedRounds {
  const underWay = new Map<string, Promise<void>>();

  return {
    async readWaiting() {
      const round = new Set(waiting);
      const free = Math.max(0, Math.min(lanes, mostReads - underWay.size));
      const reads = Promise.all(Array.from({ length: free }, () => readThrough(round)));
      const patience = Promise.withResolvers<unknown>();
      const timer = setTimeout(patience.resolve, patienceMilliseconds);
      await Promise.race([reads, patience.promise]);
      clearTimeout(timer);
    },
    async ended() {
      await Promise.all(underWay.values());
    },
  };

  async function readThrough(round: Set<string>) {
    for (let key = take(round); key !== undefined; key = take(round)) {
      const reading = read(key);
      underWay.set(key, reading);
      await reading;
      underWay.delete(key);
    }
  }

  /** The next feed of a round that no other round reads or has read. */
  function take(round: Set<string>): string | undefined {
    for (const key of round) {
      round.delete(key);
      if (!underWay.has(key) && waiting.delete(key)) return key;
    }
    return undefined;
  }
}
