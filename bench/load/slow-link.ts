import net from 'node:net';

const delayMilliseconds = 1;

/** Forwards connections to a port of this machine, and delays each direction: together a round trip of 2 ms. */
const [port, target] = process.argv.slice(2).map(Number);
const server = net.createServer((near) => {
  const far = net.connect(target ?? 0, '127.0.0.1');
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.on('data', (data) => setTimeout(() => to.writable && to.write(data), delayMilliseconds));
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  }
});
server.listen(port, '127.0.0.1', () => process.send?.('ready'));
process.on('message', () => process.send?.('ready'));
