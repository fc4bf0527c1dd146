import { type DocumentNode, print } from '@0no-co/graphql.web';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type Client, createClient } from 'graphql-ws';
import { type AnsweredError, errorOf, TollgateError } from './errors.ts';

/** How to reach a service. */
export interface ConnectionOptions {
  /** The address of the service, such as `https://billing.example.com/`. */
  readonly url: string;
  /** Headers of each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The parameters of the socket, such as `authorization`. The headers when absent. */
  readonly socketParameters?: Readonly<Record<string, unknown>>;
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

/** Connects to a service. Nothing is sent before the first operation. */
export function connect({ url, headers = {}, socketParameters }: ConnectionOptions): Connection {
  const graphqlUrl = new URL('graphql', url).href;
  const listeners = new Set<(isOpen: boolean) => void>();
  const tell = (isOpen: boolean) => {
    for (const listener of listeners) listener(isOpen);
  };
  const socket = createClient({
    url: graphqlUrl.replace(/^http/, 'ws'),
    connectionParams: { ...(socketParameters ?? lowerCase(headers)) },
    // A follower resumes after its last event, which a repeated subscription would not.
    retryAttempts: 0,
    keepAlive: pingMilliseconds,
    on: { ...guardSilence(), connected: () => tell(true), closed: () => tell(false) },
  });

  return {
    graphqlUrl,
    headers,
    socket,
    watchSocket(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => void socket.dispose(),

    async execute(document, variables, { dryRun, idempotencyKey, signal } = {}) {
      const extensions = { ...(dryRun && { dryRun }), ...(idempotencyKey && { idempotencyKey }) };
      const body = JSON.stringify({ query: textOf(document), variables, extensions });
      const answer = await post(graphqlUrl, headers, body, signal);
      const [error] = (answer.errors ?? []) as readonly AnsweredError[];
      if (error) throw errorOf(error);
      return { data: answer.data as never, extensions: (answer.extensions as never) ?? {} };
    },
  };
}

/** The text of a document, with the fields that it has and no others. */
export const textOf = (document: DocumentNode) => print(document);

interface Body {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: unknown;
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const init = {
    method: 'POST',
    body,
    headers: { accept: 'application/json', ...headers, 'content-type': 'application/json' },
    ...(signal && { signal }),
  };
  try {
    const response = await fetch(url, init);
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
