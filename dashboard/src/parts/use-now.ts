import { useSyncExternalStore } from 'react';

const stepMilliseconds = 10_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, stepMilliseconds);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const never = () => () => {};

/** The present of the reader in steps of ten seconds, the same on all of the page. */
export const useNow = (isRunning = true) =>
  useSyncExternalStore(isRunning ? subscribe : never, () => now);
