import { trimMemory } from '#server/process/trim-memory.ts';

/** A process that reports its memory in MiB before a burst, after it, and each second of the idle time that follows. */
const report = () => process.send?.(Math.round(process.memoryUsage.rss() / 1024 / 1024));

trimMemory(2);
// Lets the first look see the memory before the burst.
setTimeout(() => {
  report();
  let requests: object[] | undefined = Array.from({ length: 2_000_000 }, (_, id) => ({
    id,
    name: `request ${id}`,
    fields: [id],
  }));
  setTimeout(() => {
    requests = undefined;
    setInterval(report, 1_000);
  }, 1_000);
  if (requests.length > 0) report();
}, 1_500);
