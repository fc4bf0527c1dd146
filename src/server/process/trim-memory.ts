import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const lookMilliseconds = 1_000;
const mebibyte = 1024 * 1024;
/** Memory is returned after this growth since the last time. */
const growthBytes = 64 * mebibyte;
/** The largest share of time that the event loop works while the process counts as idle. */
const idleUtilization = 0.1;
/** A busy second, such as one with a collection, outweighs so many idle ones. */
const busyWeight = 5;
/** V8 decides every 8 s whether it returns memory. */
const savingSeconds = 20;
/** Work beyond this share of time needs the memory again. */
const workUtilization = 0.3;
/** V8 begins to mark garbage, in small steps, after an allocation of this size. Nothing touches the buffer. */
const triggerBytes = 64 * mebibyte;

/**
 * Returns memory to the system after a burst. V8 keeps the pages of garbage that large requests leave. By itself it
 * returns them in any pause of 8 s with few allocations, and discards compiled code with them: the next requests are
 * slow for seconds. A process that has grown and is idle for half a minute asks V8 to save memory instead, until it has
 * work again. No step of it blocks the process for long. Ends when it is disposed.
 */
export function trimMemory(idleSeconds = 30): Disposable {
  let least = Number.POSITIVE_INFINITY;
  let before = performance.eventLoopUtilization();
  let idle = 0;
  /** The seconds for which V8 still saves memory. */
  let saving = 0;

  keepMemory();
  const timer = setInterval(look, lookMilliseconds).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      keepMemory();
    },
  };

  function look() {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const rss = process.memoryUsage.rss();
    least = Math.min(least, rss);
    if (saving > 0) continueSaving(utilization, rss);
    else {
      idle = utilization > idleUtilization ? Math.max(0, idle - busyWeight) : idle + 1;
      idle = Math.min(idle, idleSeconds);
      if (idle === idleSeconds && rss - least >= growthBytes) beginSaving();
    }
  }

  function beginSaving() {
    saving = savingSeconds;
    saveMemory();
    void new ArrayBuffer(triggerBytes);
  }

  function continueSaving(utilization: number, rss: number) {
    saving = utilization > workUtilization ? 0 : saving - 1;
    if (saving > 0) return;
    keepMemory();
    idle = 0;
    // Memory that is in use stays, and is not collected again.
    if (utilization <= workUtilization) least = rss;
  }
}

function saveMemory() {
  setFlagsFromString('--memory-reducer-favors-memory');
  setFlagsFromString('--optimize-for-size');
}

function keepMemory() {
  setFlagsFromString('--no-memory-reducer-favors-memory');
  setFlagsFromString('--no-optimize-for-size');
}
