import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendWebhook } from '#cron/send-webhook.ts';

const message = { headers: { 'content-length': '2' }, body: '{}' };

/** An endpoint that writes to its connection whatever it likes, once a request has begun to come. */
async function anEndpoint(answer: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
}

const sendTo = async (answer: (socket: net.Socket) => void) =>
  sendWebhook({ url: await anEndpoint(answer), livemode: false, allowPrivate: true }, message);

/** Writes a text again and again until the connection is closed. */
function repeat(socket: net.Socket, head: string, text: string) {
  const write = () => socket.write(text, (error) => error || setImmediate(write));
  socket.write(head, write);
}

const broken: [what: string, answer: string, status: number | null, error: string][] = [
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    101,
    'The endpoint answered 101',
  ],
  ['nothing after an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n', null, 'socket hang up'],
  ['no number of bytes', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', null, 'Parse Error'],
  [
    'two numbers of bytes',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    null,
    'Parse Error',
  ],
  ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(99_999)}`, null, 'Header overflow'],
];

test.for(broken)('%s is a failure with a reason', async ([_, answer, status, error]) => {
  const outcome = await sendTo((socket) => void socket.end(answer));
  expect(outcome.responseStatus).toBe(status);
  expect(outcome.error).toContain(error);
});

test('a connection that stays open after an answer with another protocol is not waited for', async () => {
  const outcome = await sendTo((socket) => {
    socket.write('HTTP/1.1 101 Go\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nmore');
  });
  expect(outcome).toMatchObject({ responseStatus: 101, error: 'The endpoint answered 101' });
});

const taken: [what: string, answer: (socket: net.Socket) => void, body: string][] = [
  [
    'a body without an end',
    (socket) => repeat(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(50_000)),
    'x'.repeat(4_096),
  ],
  [
    'a body that breaks off',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', () => socket.end());
    },
    'abc',
  ],
  [
    'a body that is not what its head states',
    (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk');
    },
    '',
  ],
  [
    'two answers',
    (socket) => {
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n',
      );
    },
    'ok',
  ],
];

test.for(taken)('a 200 counts with %s', async ([_, answer, body]) => {
  const outcome = await sendTo(answer);
  expect(outcome).toMatchObject({ responseStatus: 200, responseBody: body, error: null });
});

test('of where a redirect leads only the beginning is kept', async () => {
  const location = `https://example.com/${'x'.repeat(9_000)}`;
  const { error } = await sendTo((socket) => {
    socket.end(`HTTP/1.1 307 Away\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
  });
  expect(error).toContain('https://example.com/xxx');
  expect(error?.length).toBeLessThan(600);
});
