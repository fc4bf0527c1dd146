import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { boundedText, objectIn, refuseEncoded } from '#rest/engine/body.ts';
import type { KeySession } from './authenticate.ts';
import type { Introspect } from './introspect.ts';

/**
 * The largest size of a GraphQL request, by the type of its key; without a key it can only be
 * introspection.
 */
const largestBytes = {
  secret: 1024 * 1024,
  publishable: 64 * 1024,
  customer_token: 64 * 1024,
  none: 20_000,
} as const;

type Refusal = Error & { readonly extensions?: Readonly<Record<string, unknown>> };

/**
 * Reads GraphQL requests at any address: first the key, then the body, up to a size and as `application/json` only.
 * Without a key no body is read or parsed, unless `introspect` is set.
 */
export function useGraphQLRequests(
  sessionOf: (request: Request, serverContext: object) => Promise<KeySession>,
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
      try {
        const { keyType } = await sessionOf(request, serverContext as object);
        if (request.method !== 'POST') return;
        if (!isJson(request)) return answer(415, refused('Content-Type must be application/json'));
        if (request.headers.get('content-encoding')) refuseEncoded(request);
        const text = await boundedText(request, largestBytes[keyType]);
        if (text === undefined) {
          const most = largestBytes[keyType];
          return answer(413, refused(`The request is larger than ${most} bytes`));
        }
        const params = (isList(text) ? [] : await objectIn(text)) as GraphQLParams;
        setRequestParser(() => params);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        const { http, code } = error.extensions as { http?: { status?: number }; code?: string };
        const schema = code === 'UNAUTHORIZED' && (await introspection(request));
        if (schema) return endResponse(fetchAPI.Response.json(schema));
        answer(http?.status ?? (code === 'FORBIDDEN' ? 403 : 400), error);
      }
    },
  };

  /** The response to a request without a key that asks for the schema only; undefined for any other. */
  async function introspection(request: Request) {
    if (!introspect || request.method !== 'POST' || !isJson(request)) return undefined;
    if (request.headers.get('content-encoding')) return undefined;
    const text = await boundedText(request, largestBytes.none);
    if (text === undefined || isList(text)) return undefined;
    // A body that is no JSON object is refused later, where the key is known.
    const params = await objectIn(text).catch(() => undefined);
    return params && introspect(params as GraphQLParams);
  }
}

const isJson = (request: Request) =>
  /^application\/(graphql\+)?json\s*(;|$)/i.test(request.headers.get('content-type') ?? '');

/** Several operations in one request, which a later plugin refuses. */
const isList = (text: string) => text.trimStart().startsWith('[');

const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
