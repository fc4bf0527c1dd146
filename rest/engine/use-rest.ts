import findMyWay, { type HTTPVersion } from 'find-my-way';
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Plugin, YogaServer } from 'graphql-yoga';
import type { Answer, Attempt } from './attempt.ts';
import { boundedText, objectIn, refuseEncoded } from './body.ts';
import { announce, noticeOf } from './deprecation.ts';
import { compile, type Endpoint, endpointOf, respondAsync } from './endpoint.ts';
import { detailedIssues, errorAnswer, idempotencyStatuses, refusal, refuse } from './errors.ts';
import { base, executeEndpoint, type Pipeline } from './execute-endpoint.ts';
import { includeAll } from './extras.ts';
import { fingerprintOf } from './fingerprint.ts';
import { withoutHidden } from './hidden-fields.ts';
import { readLegacy } from './legacy.ts';
import { type Preferences, preferencesIn } from './preferences.ts';
import { prefersProblem, problemHeaders, problemOf } from './problem.ts';
import { formsOf, type Route } from './route.ts';
import { bodyOfAnswer } from './written.ts';
import { isYaml, jsonOfYaml, prefersYaml, yamlOf } from './yaml.ts';

const defaultLimitBytes = 1024 * 1024;
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface RestParts<Session> {
  /** The context of an operation. Errors: the reason why the caller is not admitted. */
  readonly contextOf: (asked: { readonly request: Request }) => Promise<Session>;
  /**
   * The session of a known caller; undefined where it has to be looked up. Asks no database. Errors: the reason why the
   * caller is not admitted.
   */
  readonly expected: (asked: { readonly request: Request }) => object | undefined;
  /** Refuses an operation that the caller may not use, whatever it sends. Errors: FORBIDDEN. */
  readonly checkAccess: (session: Session, document: DocumentNode) => void;
  /** Whether fields are hidden from the caller, which are left out of answers then. */
  readonly isRestricted: (session: Session) => boolean;
  /** The headers that every answer has. */
  readonly headersOf: (request: Request) => Readonly<Record<string, string>>;
  /** Makes a public error of any other. */
  readonly mask: (error: unknown) => unknown;
}

/** The entry of a path in the router. */
interface Found {
  readonly route: Route;
  /** The endpoint that answers a caller with these preferences. */
  readonly choose: (preferences: Preferences) => Endpoint;
}

/** Answers the documented endpoints by executing their operations in the server's own pipeline. */
export function useRest<Session extends object>(
  routes: readonly Route[],
  schema: GraphQLSchema,
  { contextOf, expected, checkAccess, isRestricted, headersOf, mask }: RestParts<Session>,
): Plugin {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    // Longer than any id, also where each of its characters is percent-encoded.
    maxParamLength: 8_000,
  });
  const compiled = new Map<DocumentNode, () => CompiledQuery>();
  for (const route of routes) {
    const { later, whole } = route;
    const endpoint = lazily(() => endpointOf(route, schema));
    const accepting = later && lazily(() => endpointOf(later, schema, 202));
    const including = whole && lazily(() => endpointOf(whole, schema));
    const choose = (preferences: Preferences) => {
      if (accepting && preferences.has(respondAsync)) return accepting();
      return including && preferences.has(includeAll) ? including() : endpoint();
    };
    const store: Found = { route, choose };
    router.on(route.method, `${base}${route.path}`, () => {}, store);
    for (const one of formsOf(route)) {
      compiled.set(
        one.document,
        lazily(() => compile(one, schema)),
      );
    }
  }
  const restricted = new WeakMap<Endpoint, Endpoint>();
  let yoga: YogaServer<object, object>;
  let pipeline: Pipeline | undefined;

  return {
    onYogaInit(init) {
      yoga = init.yoga;
    },
    // The documents are known, so each is compiled when it is first asked for, and not interpreted every time.
    onExecute({ args, setExecuteFn }) {
      const query = compiled.get(args.document)?.().query;
      if (!query) return;
      setExecuteFn(({ rootValue, contextValue, variableValues }) =>
        query(rootValue, contextValue, variableValues ?? {}),
      );
    },
    onRequest({ request, url, serverContext, fetchAPI: { Response }, endResponse }) {
      if (!url.pathname.startsWith(`${base}/`) && url.pathname !== base) return;
      if (request.method === 'OPTIONS') return;
      const preferences = preferencesIn(request);
      const match = router.find(request.method as 'GET', url.pathname);
      const notice = match && noticeOf((match.store as Found).route, preferences);
      const send = (answer: Answer) => {
        const { body, headers: ofBody } = bodyOfAnswer(answer.body);
        const type = { 'content-type': 'application/json', vary: 'Prefer, Accept' };
        const headers = { ...type, ...ofBody, ...headersOf(request), ...answer.headers };
        if (notice) announce(notice, headers);
        endResponse(new Response(body, { status: answer.status, headers }));
      };
      const asProblem = prefersProblem(request.headers.get('accept'));
      const respond = (answer: Answer) => send(asProblem ? withProblem(answer) : answer);
      if (!match) return respond(notFound(request.method, url.pathname));
      return answerTo(request, url, match, { ...serverContext, request }, preferences)
        .catch((error) => failure(error, preferences))
        .then(respond);
    },
  };

  async function answerTo(
    request: Request,
    url: URL,
    { store, params }: findMyWay.FindResult<HTTPVersion.V1>,
    asked: { readonly request: Request },
    preferences: Preferences,
  ): Promise<Answer> {
    const isKnown = expected(asked) !== undefined;
    const whole = (store as Found).choose(preferences);
    let endpoint = whole;
    // Its execution is the same for every context.
    pipeline ??= yoga.getEnveloped({});
    const executor = pipeline;
    let context: Session | undefined;
    const admit = async () => {
      if (context) return context;
      context = await contextOf(asked);
      if (isRestricted(context)) endpoint = restrictedOf(whole);
      checkAccess(context, endpoint.document);
      return context;
    };
    // A body is read whole before the database is asked, so that a client that leaves meanwhile is not taken for one
    // that sends nothing. Who asks is settled first where that is known, and before much is read.
    if (isKnown) await admit();
    const text = await bodyOf(request, whole, admit);
    const own = await admit();
    if (text.trim() === '') requireChoice(endpoint);
    const convert = converterOf(request, endpoint);
    const sent = text === '' ? {} : await (convert ? converted(text, convert) : objectIn(text));
    const body = endpoint.legacy ? readLegacy(sent, endpoint.legacy) : sent;
    const ifMatch = request.method === 'GET' ? null : request.headers.get('if-match');
    const { pathname, searchParams: query } = url;
    const parts = { path: params, pathname, body, query, ifMatch };
    const asYaml = prefersYaml(request.headers.get('accept'));
    // The published interface has no YAML, so there is nothing that an answer in YAML may not have.
    const wanted = asYaml ? new Set([...preferences, includeAll]) : preferences;
    const run = async (context: object) => {
      const answer = await executeEndpoint(endpoint, executor, context, parts, wanted);
      return asYaml ? inYaml(endpoint, answer) : answer;
    };

    const key = request.method === 'GET' ? null : request.headers.get('idempotency-key');
    if (key === null) return run(own);
    const about = [
      request.method,
      url.pathname,
      url.search,
      request.headers.get('prefer'),
      ...(ifMatch === null ? [] : [ifMatch]),
    ];
    const fingerprint = await fingerprintOf(about, text);
    const isImpatient = preferences.has(idempotencyStatuses);
    return run({ ...own, attempt: { key, fingerprint, isImpatient } satisfies Attempt });
  }

  /** An endpoint without the fields that are hidden from some callers. */
  function restrictedOf(whole: Endpoint): Endpoint {
    const known = restricted.get(whole);
    if (known) return known;
    const document = withoutHidden(whole.document, schema);
    const endpoint = { ...whole, document };
    restricted.set(whole, endpoint);
    compiled.set(
      document,
      lazily(() => compile(endpoint, schema)),
    );
    return endpoint;
  }

  /** A refusal of this layer is answered as it is; anything else is logged, and masked as in the graph. */
  function failure(error: unknown, preferences: Preferences): Answer {
    const rendering = {
      detailed: preferences.has(detailedIssues),
      ofKeys: preferences.has(idempotencyStatuses),
    };
    if (error instanceof GraphQLError) return refusal(error, rendering);
    yoga.logger.error(error);
    const masked = mask(error);
    if (masked instanceof GraphQLError) return refusal(masked, rendering);
    return errorAnswer('INTERNAL_SERVER_ERROR', 'Internal server error');
  }

  function notFound(method: string, path: string): Answer {
    const allowed = methods.filter((other) => router.find(other, path));
    if (allowed.length === 0) return errorAnswer('NOT_FOUND', `There is nothing at ${path}`);
    const message = `${method} is not possible at ${path}, only ${allowed.join(' and ')}`;
    return { ...errorAnswer('NOT_FOUND', message), headers: { allow: allowed.join(', ') } };
  }
}

/** A refusal in the form of a problem; any other answer as it is. */
function withProblem(answer: Answer): Answer {
  if (answer.status < 400) return answer;
  const headers = { ...answer.headers, ...problemHeaders };
  return { ...answer, headers, body: problemOf(answer.status, answer.body) };
}

/** Refuses a request without a body where an empty one means "all" or "now". Errors: BAD_REQUEST. */
function requireChoice({ choices }: Endpoint) {
  if (choices.length === 0) return;
  const message = `is required: send a JSON object, {} for the usual, with any of ${choices.join(', ')}`;
  throw refuse('BAD_REQUEST', 'The request has no body', [
    { code: 'REQUIRED', path: ['body'], message },
  ]);
}

/** Computes a value on first use: all routes together would delay every start. */
function lazily<T>(workOut: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= workOut());
}

/** The part of an answer that has a form in YAML; a refusal is always JSON. */
async function inYaml({ yaml }: Endpoint, answer: Answer): Promise<Answer> {
  if (!yaml?.answer || answer.status !== 200) return answer;
  const body = await yamlOf(answer.body, yaml.answer);
  const headers = { ...answer.headers, 'content-type': 'application/yaml; charset=utf-8' };
  return { ...answer, headers, body };
}

/** The text of a body. Errors: BAD_REQUEST; those of `beforeMore`, which runs before much is read. */
async function bodyOf(
  request: Request,
  endpoint: Endpoint,
  beforeMore: () => unknown,
): Promise<string> {
  const { limitBytes = defaultLimitBytes } = endpoint;
  if (request.method === 'GET') return '';
  refuseEncoded(request);
  const text = await boundedText(request, limitBytes, beforeMore);
  if (text === undefined) {
    throw refuse('BAD_REQUEST', `The body is larger than ${limitBytes} bytes`);
  }
  const type = request.headers.get('content-type');
  if (endpoint.yaml?.body && isYaml(type)) return jsonOfYaml(text, limitBytes);
  // Other kinds of JSON are envelopes or lists of steps, whose fields have another meaning.
  if (text !== '' && type && !/^application\/(merge-patch\+)?json\s*(;|$)/i.test(type)) {
    if (!converterOf(request, endpoint)) {
      const known = ['application/json', ...Object.keys(endpoint.mediaTypes ?? {})].join(' or ');
      throw refuse('BAD_REQUEST', `Content-Type must be ${known}, not ${type}`);
    }
  }
  return text;
}

/** How a body of another media type of the endpoint becomes the usual one. */
function converterOf(request: Request, { mediaTypes = {} }: Endpoint) {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(mediaTypes, type) ? mediaTypes[type] : undefined;
}

/** A list is read as that of an object, so that a long one is parsed in slices. Errors: BAD_REQUEST. */
async function converted(text: string, convert: (sent: unknown) => object) {
  const { sent, ...others } = await objectIn(`{"sent":${text}}`);
  if (Object.keys(others).length > 0) throw refuse('BAD_REQUEST', 'The body is not JSON');
  return convert(sent) as Record<string, unknown>;
}
