import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a process (`--import …/skewed-clock.ts?milliseconds=-30000`): its clock shows another time than that of
 * the machine, as on a server whose time service has failed. With `steered` in the query it is set while the process
 * runs, at the address that the process prints. As with a real clock, timers and `performance.now()` do not follow it.
 */
const { searchParams } = new URL(import.meta.url);
const Machine = globalThis.Date;
const machineNow = Machine.now;

/** The clock is `ahead` of the machine since `at`, and gains `rate` milliseconds for each one that passes. */
const clock = { ahead: Number(searchParams.get('milliseconds')), at: performance.now(), rate: 0 };
const now = () =>
  Math.floor(machineNow() + clock.ahead + clock.rate * (performance.now() - clock.at));

const { timeOrigin } = performance;
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + clock.ahead });
Machine.now = now;
globalThis.Date = new Proxy(Machine, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  apply: () => new Machine(now()).toString(),
});
Machine.prototype.constructor = globalThis.Date;

if (searchParams.has('steered') && isMainThread) {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://clock').searchParams;
    clock.ahead = Number(asked.get('ahead'));
    clock.rate = Number(asked.get('rate'));
    clock.at = performance.now();
    response.end();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Clock at http://127.0.0.1:${port}\n`);
}
