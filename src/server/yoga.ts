import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { usualLimits } from '#config';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { lastKnownPresent } from '#domain/kernel/values/present.ts';
import { formsOf } from '#rest/engine/route.ts';
import { useRest } from '#rest/engine/use-rest.ts';
import { routes } from '#rest/index.ts';
import { version } from '#rest/platform/version.ts';
import { checkAccess } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { schema } from '#schema/index.ts';
import { createAdmission } from './admission.ts';
import { createAuthenticate } from './authenticate.ts';
import { withBudget } from './budget.ts';
import { documentCache, noErrorCache } from './document-cache.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { createOnce } from './idempotency.ts';
import { introspect } from './introspect.ts';
import { useMailSwitch } from './mail-switch/use-mail-switch.ts';
import { createMaskError, masked } from './mask-error.ts';
import { mergePlugins } from './merge-plugins.ts';
import { useMetrics } from './metrics/use-metrics.ts';
import { createAuthenticateOperator } from './operators/authenticate-operator.ts';
import { createOidc } from './operators/oidc.ts';
import { createReadOperator } from './operators/operator-credential.ts';
import { accountsPath, useOperators } from './operators/use-operators.ts';
import { corsOf } from './origins.ts';
import { usePortal } from './portal/use-portal.ts';
import { publicOrigin } from './public-origin.ts';
import { useReplicas } from './replicas/use-replicas.ts';
import { createContexts } from './request-context.ts';
import { createSessions, type Transport } from './request-sessions.ts';
import { traceOperations } from './tracing/trace-operations.ts';
import { noTrustedDocuments } from './trusted-documents.ts';
import { createUnexpectedAnswer } from './unexpected-answer.ts';
import { useAllIssues } from './use-all-issues.ts';
import { jsonHeaders, useAnswerHeaders } from './use-answer-headers.ts';
import { useCause } from './use-cause.ts';
import { useCheckoutPages } from './use-checkout-pages.ts';
import { useDashboard } from './use-dashboard.ts';
import { useDocs } from './use-docs.ts';
import { useDocuments } from './use-documents.ts';
import { useDryRun } from './use-dry-run.ts';
import { useEventResults } from './use-event-results.ts';
import { useForgottenScopes } from './use-forgotten-scopes.ts';
import { useGraphiQL } from './use-graphiql.ts';
import { useGraphQLRequests } from './use-graphql-requests.ts';
import { useHealth } from './use-health.ts';
import { useHome } from './use-home.ts';
import { useIdempotency } from './use-idempotency.ts';
import { useInputObjects } from './use-input-objects.ts';
import { useLimits } from './use-limits.ts';
import { useLiteralPaths } from './use-literal-paths.ts';
import { useLongWork } from './use-long-work.ts';
import { useNotFound } from './use-not-found.ts';
import { useProcessorNotices } from './use-processor-notices.ts';
import { recordOf, requestIdOf, useRequestLog } from './use-request-log.ts';
import { useSandboxPages } from './use-sandbox-pages.ts';
import { useSseIds } from './use-sse-ids.ts';
import { useStreamLimit } from './use-stream-limit.ts';
import { useTimeLimit } from './use-time-limit.ts';
import { useTrustedDocuments } from './use-trusted-documents.ts';
import { yogaLog } from './yoga-log.ts';

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
      useAnswerHeaders({ graphqlEndpoint, publicUrl }),
      // One path of the documentation is below that of REST.
      useDocs(routes, schema),
      useRest(routes, schema, {
        contextOf: async (asked) => Object.assign(await context(asked), asked),
        expected: ({ request, ...transport }) => expected(request, transport),
        checkAccess: access,
        isRestricted: ({ keyType }) => keyType === 'customer_token',
        headersOf: (request) => ({ 'x-request-id': requestIdOf(request) ?? '', ...ofAnswers }),
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
