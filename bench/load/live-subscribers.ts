import { once } from 'node:events';
import { createHistogram, performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';

/** The address to subscribe at, and the sequence to start after. */
export interface SubscribeRequest {
  readonly do: 'subscribe';
  readonly url: string;
  readonly key: string;
  readonly count: number;
  readonly after: number;
}

/** The results of the subscribers since the last report. */
export interface Seen {
  /** The last sequence that every subscriber has received; all before it arrived once and in order. */
  readonly everyoneHas: number;
  readonly messages: number;
  readonly bytesEach: number;
  /** Lost, repeated or reordered events: sequences that do not follow the one before. */
  readonly wrong: number;
  /** The instant of the last message, in milliseconds since 1970. */
  readonly lastAt: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly maxMilliseconds: number;
}

const document = `subscription($after: Sequence) {
  events(after: $after) { sequence type objectId data }
}`;
/** How many connections are opened at a time: as many as a usual backlog takes. */
const connectingAtATime = 50;

/** The last received sequence, by subscriber. */
let last = new Float64Array();
let sockets: WebSocket[] = [];
const latencies = createHistogram();
let messages = 0;
let bytes = 0;
let wrong = 0;
let lastAt = 0;
let closing = false;
/**
 * All subscribers receive the same bytes, so each message is parsed once, and this program uses little of the machine.
 * The messages are known by their sequences.
 */
const known = new Map<number, { bytes: Buffer; sequence: number; sentAt: number }>();

process.on('message', async (request: SubscribeRequest | { do: 'report' | 'reset' | 'close' }) => {
  if (request.do === 'subscribe') await subscribeAll(request);
  if (request.do === 'close') await closeAll();
  if (request.do === 'reset') reset();
  process.send?.(seen());
});

async function subscribeAll({ url, key, count, after }: SubscribeRequest) {
  last = new Float64Array(count).fill(after);
  closing = false;
  for (let from = 0; from < count; from += connectingAtATime) {
    const places = Array.from({ length: Math.min(connectingAtATime, count - from) }, (_, n) => n);
    const opened = places.map((n) => subscribe(url, key, after, from + n));
    sockets.push(...(await Promise.all(opened)));
  }
}

async function subscribe(url: string, key: string, after: number, place: number) {
  const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(
    JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }),
  );
  const [acknowledgement] = await once(socket, 'message');
  if (!String(acknowledgement).includes('connection_ack')) throw new Error(String(acknowledgement));
  const payload = { query: document, variables: { after } };
  socket.on('message', (data: Buffer) => receive(place, data));
  socket.on('close', (code, reason) => {
    if (!closing) throw new Error(`A subscriber was closed with ${code} ${reason}`);
  });
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
  return socket;
}

function receive(place: number, data: Buffer) {
  const now = performance.timeOrigin + performance.now();
  const next = (last[place] ?? 0) + 1;
  let message = known.get(next);
  if (!message || !data.equals(message.bytes)) {
    message = read(data);
    known.set(message.sequence, message);
  }
  if (message.sequence !== next) wrong++;
  last[place] = message.sequence;
  messages++;
  bytes += data.length;
  lastAt = now;
  if (Number.isNaN(message.sentAt)) return;
  latencies.record(Math.max(1, Math.round((now - message.sentAt) * 1_000)));
}

/** The writer puts the instant at which it sends its request into the name; other events have none. */
function read(bytes: Buffer) {
  const { type, payload } = JSON.parse(String(bytes));
  if (type !== 'next' || payload.errors) throw new Error(String(bytes));
  const { sequence, data } = payload.data.events;
  return { bytes: Buffer.from(bytes), sequence, sentAt: Number(data.name) };
}

async function closeAll() {
  closing = true;
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.close();
  await Promise.all(closed);
  sockets = [];
}

function reset() {
  latencies.reset();
  known.clear();
  [messages, bytes, wrong] = [0, 0, 0];
}

function seen(): Seen {
  return {
    everyoneHas: Math.min(...last),
    messages,
    bytesEach: Math.round(bytes / Math.max(1, messages)),
    wrong,
    lastAt,
    p50Milliseconds: latencies.percentile(50) / 1_000,
    p99Milliseconds: latencies.percentile(99) / 1_000,
    maxMilliseconds: latencies.max / 1_000,
  };
}
