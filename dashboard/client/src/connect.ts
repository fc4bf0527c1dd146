import { type DocumentNode, print } from '@0no-co/graphql.web';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type Client, createClient } from 'graphql-ws';
import { type AnsweredError, errorOfAll, TollgateError } from './errors.ts';

/** How to reach a service. */
export interface ConnectionOptions {
  /** The address of the service, such as `https://billing.example.com/`. */
  readonly url: string;
  /**
   * A secret key, or a customer token. A function is called for each request and for each connection, so that an
   * expired token is replaced.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further parameters of the socket. The headers when absent. */
  readonly socketParameters?: Readonly<Record<string, unknown>>;
  /** The class of sockets, for live updates where the runtime has none: Node 20 takes that of the package `ws`. */
  readonly webSocket?: unknown;
}

/** The options of one operation. */
export interface OperationOptions {
  /** Plans the operation and lists its effects; nothing changes. */
  readonly dryRun?: boolean;
  /** A repeat with the same key gets the first answer. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The data of an answer, with its extensions: `effects` after a dry run. */
export interface Answer<Data> {
  readonly data: Data;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A connection to a service: HTTP for operations, one WebSocket for live updates. */
export interface Connection {
  readonly graphqlUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens with its first subscription and closes after its last one. It does not reconnect by itself. */
  readonly socket: Client;
  /** Sends a request with the headers and the token of the connection. */
  fetch(url: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** Executes a query or mutation. Errors: TollgateError. */
  execute<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    options?: OperationOptions,
  ): Promise<Answer<Data>>;
  /** Whether the socket is open now; calls the listener at each change. Returns the function that ends the calls. */
  watchSocket(listener: (isOpen: boolean) => void): () => void;
  close(): void;
}

/** A silent network is noticed after twice this time. */
const pingMilliseconds = 5_000;

const noSockets =
  'Live updates need WebSocket, which this runtime does not have: give connect the class of the package ws as webSocket';

/** Connects to a service. Nothing is sent before the first operation. */
export function connect(options: ConnectionOptions): Connection {
  const { url, token, headers = {}, socketParameters, webSocket } = options;
  const graphqlUrl = new URL('graphql', url.endsWith('/') ? url : `${url}/`).href;
  const listeners = new Set<(isOpen: boolean) => void>();
  const tell = (isOpen: boolean) => {
    for (const listener of listeners) listener(isOpen);
  };
  const credential = async (): Promise<Record<string, string>> => {
    const text = typeof token === 'function' ? await token() : token;
    return text === undefined ? {} : { authorization: `Bearer ${text}` };
  };
  // Without live updates no runtime needs sockets.
  let socket: Client | undefined;
  const open = () => {
    if (webSocket === undefined && typeof WebSocket === 'undefined') throw new Error(noSockets);
    return createClient({
      ...(webSocket !== undefined && { webSocketImpl: webSocket }),
      url: graphqlUrl.replace(/^http/, 'ws'),
      connectionParams: async () => ({
        ...(socketParameters ?? lowerCase(headers)),
        ...(await credential()),
      }),
      // A follower resumes after its last event, which a repeated subscription would not.
      retryAttempts: 0,
      keepAlive: pingMilliseconds,
      on: { ...guardSilence(), connected: () => tell(true), closed: () => tell(false) },
    });
  };
  let position: string | null = null;
  const send: Connection['fetch'] = async (address, init = {}) => {
    const own = new Headers({ ...headers, ...(await credential()) });
    // Reads see the writes of this connection, also where a replica serves them.
    if (position) own.set(positionHeader, position);
    new Headers(init.headers).forEach((value, name) => {
      own.set(name, value);
    });
    const response = await fetch(address, { ...init, headers: own });
    const stated = response.headers.get(positionHeader);
    if (stated && isLater(stated, position)) position = stated;
    return response;
  };

  return {
    graphqlUrl,
    headers,
    get socket() {
      socket ??= open();
      return socket;
    },
    fetch: send,
    watchSocket(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => void socket?.dispose(),

    async execute(document, variables, { dryRun, idempotencyKey, signal } = {}) {
      const extensions = { ...(dryRun && { dryRun }), ...(idempotencyKey && { idempotencyKey }) };
      const body = JSON.stringify({ query: textOf(document), variables, extensions });
      const answer = await post(send, graphqlUrl, body, signal);
      const errors = (answer.errors ?? []) as readonly AnsweredError[];
      if (errors.length > 0) throw errorOfAll(errors);
      return { data: answer.data as never, extensions: (answer.extensions as never) ?? {} };
    },
  };
}

const positionHeader = 'tollgate-position';

/** Whether a position is later than another; each is two hexadecimal numbers. */
function isLater(position: string, other: string | null): boolean {
  const numbers = (text: string) => text.split('/').map((part) => Number.parseInt(part, 16));
  const [high = 0, low = 0] = numbers(position);
  const [otherHigh = 0, otherLow = 0] = numbers(other ?? '0/0');
  return high > otherHigh || (high === otherHigh && low > otherLow);
}

/** The text of a document, with the fields that it has and no others. */
export const textOf = (document: DocumentNode) => print(document);

interface Body {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: unknown;
}

async function post(
  send: Connection['fetch'],
  url: string,
  body: string,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  try {
    const init = { method: 'POST', body, headers, ...(signal && { signal }) };
    const response = await send(url, init);
    return (await response.json()) as Body;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new TollgateError('NETWORK', 'The service did not answer');
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Closes a socket whose service no longer answers: a network that swallows packets closes none. */
function guardSilence() {
  let current: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    opened: (opened: unknown) => {
      current = opened as WebSocket;
    },
    ping: (isReceived: boolean) => {
      if (isReceived) return;
      timer = setTimeout(() => current?.close(4408, 'No answer to a ping'), pingMilliseconds);
    },
    pong: (isReceived: boolean) => {
      if (isReceived) clearTimeout(timer);
    },
  };
}
