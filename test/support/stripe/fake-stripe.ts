import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expireDue } from './checkout.ts';
import { type Parameters, readForm } from './form.ts';
import { type Answered, KeptAnswers } from './idempotency.ts';
import { checkParameters } from './published.ts';
import { invalidRequest, Refusal } from './refusal.ts';
import { type Route, routes } from './routes.ts';
import { type Prefix, StripeState, type Thing } from './state.ts';

/** The fault of a request. */
export type Fault =
  /** The connection breaks before the request is executed. */
  | 'reset'
  /** It breaks after it was executed. */
  | 'lost'
  /** It is executed, and never answered. */
  | 'hang'
  /** An error that is remembered under the key; nothing was executed. */
  | 'error'
  /** The same after it was executed. */
  | 'late error'
  | 'limit'
  | 'unavailable'
  | 'conflict';

/** A request as the fake has received it. */
interface SeenRequest {
  readonly route: string;
  readonly path: string;
  readonly key: string | null;
  readonly params: Parameters;
  readonly version: string | null;
}

/** The secret keys of the fake: one account with both modes. */
export const fakeKeys = {
  live: 'sk_live_fakeFakeFake1111',
  test: 'sk_test_fakeFakeFake2222',
  restricted: 'rk_live_fakeFakeFake3333',
  otherAccount: 'sk_live_fakeFakeFake4444',
} as const;

export interface FakeStripe extends AsyncDisposable {
  readonly url: string;
  readonly live: StripeState;
  readonly test: StripeState;
  readonly seen: SeenRequest[];
  /** The requests that a restricted key is refused. */
  readonly lacking: Set<string>;
  /** Chooses what goes wrong with a request; nothing by default. */
  faultOf: (request: SeenRequest) => Fault | undefined;
}

/** A stateful copy of the part of Stripe that is used, over HTTP. `now` is its present. */
export async function startFakeStripe(now: () => number = Date.now): Promise<FakeStripe> {
  const live = new StripeState(now, true, 'acct_fake1');
  const test = new StripeState(now, false, 'acct_fake1');
  const other = new StripeState(now, true, 'acct_fake2');
  const states = new Map([
    [fakeKeys.live, live],
    [fakeKeys.restricted, live],
    [fakeKeys.test, test],
    [fakeKeys.otherAccount, other],
  ] as [string, StripeState][]);
  const kept = new Map([live, test, other].map((state) => [state, new KeptAnswers()]));
  const lacking = new Set<string>();
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => void serve(request, response));
  // A slow test may use a connection again after the usual 5 seconds, just as the server closes it.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeStripe = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    live,
    test,
    seen,
    lacking,
    faultOf: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://fake');
    const method = request.method ?? 'GET';
    const raw = method === 'POST' ? await readText(request) : url.search.slice(1);
    const [route, id] = routeOf(method, url.pathname);
    const asked: SeenRequest = {
      route,
      path: url.pathname,
      key: request.headers['idempotency-key']?.toString() ?? null,
      params: readForm(raw),
      version: request.headers['stripe-version']?.toString() ?? null,
    };
    seen.push(asked);
    const fault = fake.faultOf(asked);
    if (fault === 'reset') return void response.destroy();
    const answer = await answerTo(request, asked, id, raw, fault);
    if (fault === 'lost') return void response.destroy();
    if (fault === 'hang') return;
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': `req_${seen.length}`,
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body));
  }

  async function answerTo(
    request: IncomingMessage,
    asked: SeenRequest,
    id: string,
    raw: string,
    fault: Fault | undefined,
  ): Promise<Answered> {
    try {
      const secretKey = String(request.headers.authorization).replace(/^(Bearer|Basic) /, '');
      const state = states.get(secretKey);
      if (!state)
        throw new Refusal(401, {
          type: 'invalid_request_error',
          message: `Invalid API Key provided: ${secretKey}`,
        });
      if (secretKey === fakeKeys.restricted && lacking.has(asked.route)) {
        throw new Refusal(403, {
          type: 'invalid_request_error',
          message: 'The key lacks a permission',
        });
      }
      const found = routes[asked.route];
      if (!found) throw invalidRequest(`Unrecognized request URL (${asked.route})`, {}, 404);
      checkParameters(asked.route, asked.params);
      if (fault === 'limit') return refused(429, 'rate_limit', { 'retry-after': '2' });
      if (fault === 'unavailable') return refused(503, 'unavailable');
      if (fault === 'conflict') return refused(409, 'lock_timeout');
      const execute = async () => executed(state, found, asked, id, fault);
      const isKeyed = asked.key !== null && asked.route.startsWith('POST');
      if (!isKeyed) return await execute();
      const fingerprint = `${asked.path} ${raw}`;
      return await (kept.get(state) as KeptAnswers).once(
        asked.key,
        fingerprint,
        state.now(),
        execute,
      );
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: error.body };
      throw error;
    }
  }
}

function executed(
  state: StripeState,
  route: Route,
  asked: SeenRequest,
  id: string,
  fault: Fault | undefined,
): Answered {
  if (fault === 'error') return refused(500, 'internal');
  try {
    expireDue(state);
    const body = expandedCopy(state, route(state, asked.params, id), asked.params.expand);
    return fault === 'late error' ? refused(500, 'internal') : { status: 200, body };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body };
    throw error;
  }
}

const refused = (status: number, code: string, headers: Record<string, string> = {}): Answered => ({
  status,
  body: { error: { type: 'api_error', code, message: `Refused: ${code}` } },
  headers: { 'stripe-should-retry': 'false', ...headers },
});

/** The route of a path, with `:id` for the id in it. */
function routeOf(method: string, path: string): [route: string, id: string] {
  if (routes[`${method} ${path}`]) return [`${method} ${path}`, ''];
  const parts = path.split('/');
  const place = parts.findIndex((part) => /^[a-z]+_\w+$/.test(part) && !/^[a-z_]+$/.test(part));
  const at = place < 0 ? parts.findLastIndex((part) => part.includes('_tollgate_')) : place;
  const id = parts[at] ?? '';
  if (at >= 0) parts[at] = ':id';
  return [`${method} ${parts.join('/')}`, id];
}

const prefixes: Readonly<Record<string, Prefix>> = {
  latest_charge: 'ch',
  payment_method: 'pm',
  payment_intent: 'pi',
  setup_intent: 'seti',
};

/** A copy of an answer in which the paths of `expand` are objects instead of ids. */
function expandedCopy(state: StripeState, thing: Thing, expand: Parameters[string] | undefined) {
  const copy = structuredClone(thing);
  for (const path of (expand ?? []) as string[]) {
    const names = path.split('.');
    const targets = names[0] === 'data' ? copy.data : [copy];
    for (const target of targets)
      expandIn(state, target, names[0] === 'data' ? names.slice(1) : names);
  }
  return copy;
}

function expandIn(state: StripeState, target: Thing, [name = '', ...rest]: string[]) {
  const prefix = prefixes[name];
  if (!prefix || target[name] == null) return;
  if (typeof target[name] === 'string')
    target[name] = structuredClone(state.get(prefix, target[name]));
  if (rest.length > 0) expandIn(state, target[name], rest);
}
