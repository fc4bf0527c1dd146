/** Counts what is open by what it has in common, such as the sockets of a key. */
export interface OpenCount {
  /** Takes a place under a name. Answers what frees it, any number of times; undefined when no place is free. */
  take(name: string): (() => void) | undefined;
}

/** A count with so many places under each name. */
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
