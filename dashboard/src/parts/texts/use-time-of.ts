import { useNow } from '../use-now.ts';

/** The present of a customer: the time of its test clock, or that of the reader. */
export function useTimeOf(testClock: { readonly frozenTime: number } | null | undefined): number {
  const now = useNow(!testClock);
  return testClock?.frozenTime ?? now;
}
