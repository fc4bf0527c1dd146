import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** The baseline of live updates: each message is sent to every socket, serialized once, and not stored. */
const [port = '0'] = process.argv.slice(2);
const subscribers = new Set<WebSocket>();
let sequence = 0;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.end('{}');
  if (request.method !== 'PUT') return;
  const now = Date.now();
  const id = (request.url ?? '').slice((request.url ?? '').lastIndexOf('/') + 1);
  const data = {
    id,
    name: JSON.parse(body).usageMeter.name,
    slug: 'meter-0',
    livemode: false,
    createdAt: now,
    updatedAt: now,
    organizationId: id.replace('usage_meter', 'org'),
    pricingModelId: id.replace('usage_meter', 'pricing_model'),
    aggregationType: 'sum',
  };
  const events = { sequence: ++sequence, type: 'usage_meter.updated', objectId: id, data };
  const message = JSON.stringify({ id: '1', type: 'next', payload: { data: { events } } });
  for (const socket of subscribers) socket.send(message);
}).listen(Number(port), '127.0.0.1');

new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('message', (text) => {
    const { type } = JSON.parse(String(text));
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    if (type === 'subscribe') subscribers.add(socket);
  });
  socket.on('close', () => subscribers.delete(socket));
});
