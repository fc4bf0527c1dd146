import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const intervalMilliseconds = 5_000;
/** Memory is returned after this growth since the last time. */
const growthBytes = 64 * 1024 * 1024;
/** The largest share of time that the event loop works while the process counts as idle. */
const idleUtilization = 0.1;

type Collect = (options: { type: 'major' }) => void;

/**
 * Returns memory to the system after a burst. V8 keeps the pages of garbage that large requests leave, and returns
 * them only under pressure. A process that has grown and is idle therefore collects its garbage once, which takes
 * less than 0.1 s; V8 returns the empty pages a few seconds later. Ends when it is disposed.
 */
export function trimMemory(): Disposable {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let least = Number.POSITIVE_INFINITY;
  let before = performance.eventLoopUtilization();

  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const { rss } = process.memoryUsage();
    least = Math.min(least, rss);
    if (utilization > idleUtilization || rss - least < growthBytes) return;
    collect({ type: 'major' });
    // Memory that is in use stays, and is not collected again.
    least = process.memoryUsage.rss();
  }, intervalMilliseconds).unref();

  return { [Symbol.dispose]: () => clearInterval(timer) };
}
