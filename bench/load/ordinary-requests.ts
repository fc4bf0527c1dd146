import { Agent, get } from 'node:http';

/** Reads a list and a record of a service all the time, and reports the times since the last report. */
const [url = '', key = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const paths = ['/customers?limit=10', '/subscriptions?limit=10', '/invoices?limit=10'];
const pauseMilliseconds = 20;
let times: number[] = [];
let count = 0;

function ask() {
  const started = performance.now();
  const over = () => {
    times.push(performance.now() - started);
    setTimeout(ask, pauseMilliseconds);
  };
  const headers = { authorization: `Bearer ${key}` };
  const path = `${url}/api/v1${paths[count++ % paths.length]}`;
  get(path, { agent, headers }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`${path} responds ${answer.statusCode}`);
    answer.resume().on('end', over);
  }).on('error', over);
}

process.on('message', () => {
  const sorted = times.toSorted((one, other) => one - other);
  process.send?.({ p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, count: sorted.length });
  times = [];
});
process.on('disconnect', () => process.exit());
ask();
