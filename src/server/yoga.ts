import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { usualLimits } from '#config';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { lastKnownPresent } from '#domain/kernel/values/present.ts';
import { formsOf } from '#rest/engine/route.ts';
import { useRest } from '#rest/engine/use-rest.ts';
import { version } from '#rest/engine/version.ts';
import { routes } from '#rest/index.ts';
import { checkAccess } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { schema } from '#schema/index.ts';
import { createAdmission } from './auth/admission.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createAuthenticateOperator } from './auth/authenticate-operator.ts';
import { createReadOperator } from './auth/operator-credential.ts';
import { useCheckoutPages } from './checkout/use-checkout-pages.ts';
import { useSandboxPages } from './checkout/use-sandbox-pages.ts';
import { useDocs } from './docs/use-docs.ts';
import { useDocuments } from './documents/use-documents.ts';
import { createMaskError, masked } from './errors/mask-error.ts';
import { useAllIssues } from './errors/use-all-issues.ts';
import { useInputObjects } from './errors/use-input-objects.ts';
import { useLiteralPaths } from './errors/use-literal-paths.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { useHealth } from './health/use-health.ts';
import { corsOf } from './http/origins.ts';
import { publicOrigin } from './http/public-origin.ts';
import { jsonHeaders, useAnswerHeaders } from './http/use-answer-headers.ts';
import { createOnce } from './idempotency/idempotency.ts';
import { useDryRun } from './idempotency/use-dry-run.ts';
import { useIdempotency } from './idempotency/use-idempotency.ts';
import { useProcessorNotices } from './integrations/use-processor-notices.ts';
import { withBudget } from './limits/budget.ts';
import { useLimits } from './limits/use-limits.ts';
import { useLongWork } from './limits/use-long-work.ts';
import { useStreamLimit } from './limits/use-stream-limit.ts';
import { useTimeLimit } from './limits/use-time-limit.ts';
import { useTurns } from './limits/use-turns.ts';
import { useEventResults } from './live/use-event-results.ts';
import { useForgottenScopes } from './live/use-forgotten-scopes.ts';
import { useSseIds } from './live/use-sse-ids.ts';
import { useMailSwitch } from './mail-switch/use-mail-switch.ts';
import { mergePlugins } from './merge-plugins.ts';
import { useMetrics } from './metrics/use-metrics.ts';
import { traceOperations } from './observability/trace-operations.ts';
import { documentCache, noErrorCache } from './operations/document-cache.ts';
import { introspect } from './operations/introspect.ts';
import { noTrustedDocuments } from './operations/trusted-documents.ts';
import { useGraphQLRequests } from './operations/use-graphql-requests.ts';
import { useTrustedDocuments } from './operations/use-trusted-documents.ts';
import { createOidc } from './operators/oidc.ts';
import { accountsPath, useOperators } from './operators/use-operators.ts';
import { useDashboard } from './pages/use-dashboard.ts';
import { useGraphiQL } from './pages/use-graphiql.ts';
import { useHome } from './pages/use-home.ts';
import { useNotFound } from './pages/use-not-found.ts';
import { usePortal } from './portal/use-portal.ts';
import { useReplicas } from './replicas/use-replicas.ts';
import { createContexts } from './request-context.ts';
import { recordOf, requestIdOf, useRequestLog } from './request-log/use-request-log.ts';
import { yogaLog } from './request-log/yoga-log.ts';
import { createSessions, type Transport } from './sessions/request-sessions.ts';
import { useCause } from './sessions/use-cause.ts';
import { createUnexpectedAnswer } from './unexpected-answer.ts';

const unknown: NonNullable<GatewayParts['readiness']> = {
  status: () => 'not checked',
  isForeign: () => false,
};
const graphqlEndpoint = '/graphql';

const isGraph = ({ pathname }: URL) =>
  pathname === graphqlEndpoint || pathname === `${graphqlEndpoint}/`;

/** Only pages of the service itself may call these addresses. */
const isAccounts = ({ url }: Request) => new URL(url).pathname.startsWith(`${accountsPath}/`);

/**
 * The whole service as one function from request to response; plugins are in the order in which a request meets them.
 */
export function createGateway(parts: GatewayParts) {
  const { orm, hub, logger, production, operationTimeLimitSeconds, publicUrl, mailFrom } = parts;
  const { readiness = unknown, slowRequestMilliseconds = 1_000 } = parts;
  const { limits = usualLimits(), webhookAllowPrivate = false, corsOrigins = '*' } = parts;
  const { trustedDocuments = noTrustedDocuments } = parts;
  const { auditAddresses = false } = parts;
  const origins = { publicUrl, trustProxy: limits.trustedProxies > 0 };
  const ofAnswers = jsonHeaders(publicUrl);
  const maskError = createMaskError(readiness.isForeign);
  const originOf = (request: Parameters<typeof publicOrigin>[1]) => publicOrigin(origins, request);
  const admit = createAdmission(
    createAuthenticate(orm, hub, { outlivesDatabase: parts.usageStream !== undefined }),
    createAuthenticateOperator(orm, hub),
    limits,
  );
  const rateOf = (request: Request) => {
    const session = recordOf(request)?.admitted;
    return session ? admit.rateHeaders(session) : {};
  };
  const sessions = createSessions(admit, createReadOperator(originOf));
  const { sessionOf, expected, sessionOfPage } = sessions;
  const context = createContexts(sessions, {
    attend: () => readiness.attend?.(),
    hub,
    logger,
    webhookAllowPrivate,
    publicUrl,
    mailFrom,
    originOf,
  });
  const access = masked((session: Session, document: DocumentNode) =>
    checkAccess(session, schema, document),
  );

  const answerTo = createUnexpectedAnswer(logger, readiness.isForeign);

  const gateway = createYoga<Transport, Context>({
    schema: withBudget(schema, limits, operationTimeLimitSeconds),
    graphqlEndpoint,
    parserAndValidationCache: { documentCache: documentCache(), errorCache: noErrorCache },
    multipart: false,
    landingPage: false,
    // Yoga's own health check takes every address with this ending, which none has: `useHealth` serves it.
    healthCheckEndpoint: '\n',
    // Bodies are read within their limits elsewhere; this would copy every body through a stream.
    maxRequestBodySize: false,
    maskedErrors: { maskError },
    logging: yogaLog(logger),
    cors: (request) =>
      !isAccounts(request) && corsOf(request, corsOrigins, recordOf(request)?.allowedOrigins),
    graphiql: false,
    context,
    plugins: mergePlugins(answerTo, [
      useRequestLog(logger, routes, slowRequestMilliseconds),
      useAnswerHeaders({ graphqlEndpoint, publicUrl, ofCaller: rateOf }),
      // One path of the documentation is below that of REST.
      useDocs(routes, schema),
      useRest(routes, schema, {
        contextOf: async (asked) => Object.assign(await context(asked), asked),
        expected: ({ request, ...transport }) => expected(request, transport),
        checkAccess: access,
        isRestricted: ({ keyType }) => keyType === 'customer_token',
        headersOf: (request) => ({
          'x-request-id': requestIdOf(request) ?? '',
          ...ofAnswers,
          ...rateOf(request),
        }),
        mask: (error) => maskError(error, 'Internal server error'),
      }),
      useHealth(readiness, parts.replicas, parts.usageStream, parts.cell),
      // Pages and documents read an organization, as operations do.
      { onRequest: () => readiness.attend?.() },
      useMetrics(parts, routes),
      useDashboard(parts.dashboard),
      production ? {} : useGraphiQL(isGraph, parts.dashboard),
      useHome({ version, production, state: async () => readiness.status() }),
      useDocuments(orm, logger),
      useProcessorNotices(orm, logger),
      useSandboxPages(orm),
      usePortal({
        orm,
        fetchGraph: async (init, { req }): Promise<Response> =>
          gateway.fetch(new URL(graphqlEndpoint, 'http://portal').href, init, { req }),
        admit: async (request, transport, token) =>
          sessionOfPage(request, transport, `Bearer ${token}`),
        contextOf: async (asked) => Object.assign(await context(asked), asked),
        checkAccess: access,
        originOf,
      }),
      useOperators({
        orm,
        logger,
        originOf,
        trustedProxies: limits.trustedProxies,
        auditAddresses,
        oidc: parts.oidc && createOidc(parts.oidc),
      }),
      useCheckoutPages(orm, logger),
      useMailSwitch(orm, limits.rates.customer_token),
      useNotFound(graphqlEndpoint),
      useCause(routes, {
        kept: auditAddresses,
        trustedProxies: limits.trustedProxies,
      }),
      // After REST, which has its own executor: the last wrapping is the outermost.
      useDryRun(),
      useAllIssues(),
      useInputObjects(new Set(routes.flatMap(formsOf).map(({ document }) => document))),
      useLiteralPaths(),
      // Within the time limit: an operation that exceeds it keeps its result all the same.
      useIdempotency(createOnce(orm)),
      useReplicas(parts.replicas, schema, logger),
      useLongWork(limits, operationTimeLimitSeconds / 2),
      useTurns(),
      useTimeLimit(operationTimeLimitSeconds),
      useForgottenScopes(),
      useGraphQLRequests(
        { sessionOf: maskedSessionOf, expected: masked(expected) },
        production ? undefined : introspect(schema, parts.dashboard),
      ),
      useTrustedDocuments(trustedDocuments, maskedSessionOf),
      ...useLimits(schema, limits),
      useSseIds(isGraph),
      useEventResults(({ apiKeyId, ...context }) => ({
        ...context,
        ...openSession(orm.em, { ...context, now: lastKnownPresent(orm.em) }, apiKeyId),
      })),
      // The outermost one of those that execute: its span has the time of all others.
      parts.tracing ? traceOperations() : {},
      // After the plugins that subscribe, so that it wraps them.
      useStreamLimit(limits),
    ] as Plugin[]),
  });
  return gateway;

  async function maskedSessionOf(request: Request, transport: Transport) {
    try {
      return await sessionOf(request, transport);
    } catch (error) {
      throw maskError(error, 'Unexpected error.', false);
    }
  }
}

export type Gateway = ReturnType<typeof createGateway>;
