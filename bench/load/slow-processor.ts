import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * A stand-in for Stripe with the two requests of a charge: it answers after 100 to 700 ms. It allows an account its limit and
 * a quarter more in any second, as Stripe allows 100, and refuses further ones. `GET /figures` returns what it has seen since the last report.
 */
const [port = '0', limit = '80'] = process.argv.slice(2);
const least = 100;
const spread = 600;
/** The limit counts the requests of the last second, as a sliding window. */
const recent: number[] = [];
const figures = { requests: 0, refused: 0, charges: 0, first: 0, last: 0 };
let inFlight = 0;
let mostInFlight = 0;
let count = 0;

createServer((request, response) => void serve(request, response)).listen(
  Number(port),
  '127.0.0.1',
);

async function serve(request: IncomingMessage, response: ServerResponse) {
  const { method, url = '' } = request;
  if (method === 'GET') {
    answer(response, 200, { ...figures, mostInFlight });
    Object.assign(figures, { requests: 0, refused: 0, charges: 0, first: 0, last: 0 });
    mostInFlight = 0;
    return;
  }
  const params = new URLSearchParams(await text(request));
  const now = performance.now();
  figures.first ||= now;
  figures.requests += 1;
  while (recent[0] !== undefined && recent[0] <= now - 1_000) recent.shift();
  if (recent.length >= 1.25 * Number(limit)) {
    figures.refused += 1;
    return answer(response, 429, {
      error: { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests' },
    });
  }
  recent.push(now);
  inFlight += 1;
  mostInFlight = Math.max(mostInFlight, inFlight);
  setTimeout(
    () => {
      inFlight -= 1;
      figures.last = performance.now();
      const confirmed = /payment_intents\/([^/]+)\/confirm$/.exec(url)?.[1];
      if (confirmed) figures.charges += 1;
      answer(response, 200, confirmed ? confirmedIntent(confirmed) : newIntent(params));
    },
    least + Math.random() * spread,
  );
}

/** The amount is part of the id, so that nothing is kept between both requests. */
function newIntent(params: URLSearchParams) {
  const amount = Number(params.get('amount'));
  return intent(`pi_fake${++count}x${amount}`, amount, 'requires_confirmation', null);
}

function confirmedIntent(id: string) {
  const amount = Number(id.split('x')[1]);
  const charge = {
    id: id.replace('pi', 'ch'),
    object: 'charge',
    amount,
    currency: 'usd',
    status: 'succeeded',
    paid: true,
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
  };
  return intent(id, amount, 'succeeded', charge);
}

const intent = (id: string, amount: number, status: string, charge: object | null) => ({
  id,
  object: 'payment_intent',
  amount,
  currency: 'usd',
  status,
  last_payment_error: null,
  latest_charge: charge,
});

function answer(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' });
  response.end(JSON.stringify(body));
}
