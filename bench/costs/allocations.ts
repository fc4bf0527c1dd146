import { createServer } from 'node:http';
import { GCProfiler, getHeapStatistics } from 'node:v8';

/**
 * Loaded before a measured program (`--import`): answers the bytes that the program has allocated since the last
 * question. Collections report how large the heap was before and after them.
 */
// biome-ignore lint/style/noProcessEnv: the settings of the process that it is loaded into
const { ALLOCATIONS_PORT } = process.env;

let profiler = new GCProfiler();
let used = getHeapStatistics().used_heap_size;
profiler.start();

createServer((_request, response) => {
  let sum = 0;
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    sum += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  const now = getHeapStatistics().used_heap_size;
  sum += now - used;
  used = now;
  profiler = new GCProfiler();
  profiler.start();
  response.end(String(sum));
})
  .listen(Number(ALLOCATIONS_PORT), '127.0.0.1')
  .unref();
