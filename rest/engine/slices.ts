/** How long synchronous work keeps the event loop before other requests have their turn, which takes several slices. */
const sliceMilliseconds = 5;

/** Runs synchronous work that yields often; between its slices the process answers others. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - since < sliceMilliseconds) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
}

/** Runs the same work at once, for what is small. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
