import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { boundedText, objectIn, refuseEncoded } from '#rest/engine/body.ts';
import type { KeySession } from '../auth/authenticate.ts';
import { keyTypeIn } from '../auth/credential-text.ts';
import type { Introspect } from './introspect.ts';

/** The largest size of a GraphQL request, by the type of its key; without a key it can only be introspection. */
const largestBytes = {
  secret: 1024 * 1024,
  publishable: 64 * 1024,
  customer_token: 64 * 1024,
  none: 20_000,
} as const;

type Refusal = Error & { readonly extensions?: Readonly<Record<string, unknown>> };

/** The sessions of requests. Errors: the reason why a caller is not admitted. */
interface Callers {
  readonly sessionOf: (request: Request, serverContext: object) => Promise<KeySession>;
  /** The session of a known caller, without the database; undefined for one that has to be looked up. */
  readonly expected: (request: Request, serverContext: object) => KeySession | undefined;
}

/**
 * Reads GraphQL requests at any address: up to a size and as `application/json` only. A body is read whole before the
 * database is asked who sends it; a longer one after that. Without a key no query is parsed. `introspect` answers tools
 * that have none; without it no body of theirs is read.
 */
export function useGraphQLRequests(
  { sessionOf, expected }: Callers,
  introspect?: Introspect,
): Plugin {
  return {
    async onRequestParse({ request, serverContext, setRequestParser, endResponse, fetchAPI }) {
      const answer = (status: number, error: Refusal) => {
        const { http: _http, ...extensions } = error.extensions ?? {};
        const { retryAfterSeconds } = extensions as { retryAfterSeconds?: number };
        const headers: Record<string, string> = retryAfterSeconds
          ? { 'retry-after': String(retryAfterSeconds) }
          : {};
        const errors = [{ message: error.message, extensions }];
        endResponse(fetchAPI.Response.json({ errors }, { status, headers }));
      };
      const isReadable = request.method === 'POST' && isJson(request) && !isEncoded(request);
      let read: { readonly text: string | undefined } | undefined;
      const textOf = async (most: number, beforeMore?: () => unknown) => {
        read ??= { text: isReadable ? await boundedText(request, most, beforeMore) : undefined };
        return read.text;
      };
      try {
        const known = expected(request, serverContext as object);
        const admit = () => sessionOf(request, serverContext as object);
        const most =
          largestBytes[known?.keyType ?? keyTypeIn(request.headers.get('authorization'))];
        const text = await textOf(most, known ? undefined : admit);
        await admit();
        if (request.method !== 'POST') return;
        if (!isJson(request)) return answer(415, refused('Content-Type must be application/json'));
        refuseEncoded(request);
        if (text === undefined) {
          return answer(413, refused(`The request is larger than ${most} bytes`));
        }
        const params = (isList(text) ? [] : await objectIn(text)) as GraphQLParams;
        setRequestParser(() => params);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        const { http, code } = error.extensions as { http?: { status?: number }; code?: string };
        const graph = code === 'UNAUTHORIZED' && (await described(request, textOf));
        if (graph) {
          const headers = {
            'content-type': 'application/json; charset=utf-8',
            ...(graph.encoding && { 'content-encoding': graph.encoding }),
            vary: 'Accept-Encoding',
          };
          return endResponse(new fetchAPI.Response(graph.content, { headers }));
        }
        answer(http?.status ?? (code === 'FORBIDDEN' ? 403 : 400), error);
      }
    },
  };

  /** The description of the graph for a tool without a key; undefined for any other request. */
  async function described(
    request: Request,
    textOf: (most: number) => Promise<string | undefined>,
  ) {
    if (!introspect) return undefined;
    const text = await textOf(largestBytes.none).catch(() => undefined);
    if (text === undefined || text.length > largestBytes.none || isList(text)) return undefined;
    // A body that is no JSON object has no key either, which is the reason of the refusal.
    const params = await objectIn(text).catch(() => undefined);
    return introspect(params?.query, request.headers.get('accept-encoding') ?? '');
  }
}

const isJson = (request: Request) =>
  /^application\/(graphql\+)?json\s*(;|$)/i.test(request.headers.get('content-type') ?? '');

const isEncoded = (request: Request) =>
  !/^(identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? '');

/** Several operations in one request, which a later plugin refuses. */
const isList = (text: string) => text.trimStart().startsWith('[');

const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
