import { get } from 'node:http';

/** Polls an address of a process, and reports the worst time since the last report. */
const [address = ''] = process.argv.slice(2);
const pauseMilliseconds = 20;
let worst = 0;

function poll() {
  const started = performance.now();
  const over = () => {
    worst = Math.max(worst, performance.now() - started);
    setTimeout(poll, pauseMilliseconds);
  };
  get(address, { agent: false }, (answer) => answer.resume().on('end', over)).on('error', over);
}

process.on('message', () => {
  process.send?.(worst);
  worst = 0;
});
process.on('disconnect', () => process.exit());
poll();
