/** Counts open things by name, such as the sockets of a key. */
export interface OpenCount {
  /** Takes a slot under a name. Returns an idempotent function that frees it; undefined when no slot is free. */
  take(name: string): (() => void) | undefined;
}

/** A count with `most` slots under each name. */
export function createOpenCount(most: number): OpenCount {
  const counts = new Map<string, number>();
  return {
    take(name) {
      const others = counts.get(name) ?? 0;
      if (others >= most) return undefined;
      counts.set(name, others + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (counts.get(name) ?? 1) - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      };
    },
  };
}
