import { get } from 'node:http';

/** Polls an address of the process that it is given, and answers the worst time since it was last asked. */
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
