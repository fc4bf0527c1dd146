import type { IncomingMessage } from 'node:http';
import type { DocumentNode } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { usualLimits } from '#config';
import { lastKnownPresent } from '#domain/kernel/present.ts';
import { credentialIdOf, openSession, type Session } from '#domain/kernel/session.ts';
import { documentSecretOf } from '#domain/organizations/document-secret.ts';
import { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';
import { useRest } from '#rest/engine/use-rest.ts';
import { routes } from '#rest/index.ts';
import { version } from '#rest/version.ts';
import { checkAccess } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { load } from '#schema/engine/load.ts';
import { schema } from '#schema/index.ts';
import { type Caller, createAdmission } from './admission.ts';
import { createAuthenticate, type KeySession } from './authenticate.ts';
import { withBudget } from './budget.ts';
import { credentialOf, lastEventIdOf } from './client-values.ts';
import { logged } from './database/failure.ts';
import { documentCache, noErrorCache } from './document-cache.ts';
import { documentLink } from './document-links.ts';
import { exampleOperations } from './example-operations.ts';
import { followedTenant } from './followed-tenant.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { graphiqlPage } from './graphiql.ts';
import { createOnce } from './idempotency.ts';
import { introspect } from './introspect.ts';
import { createMaskError, masked } from './mask-error.ts';
import { wantsCost } from './operation-cost.ts';
import { corsOf, requireOrigin } from './origins.ts';
import { publicOrigin } from './public-origin.ts';
import { noTrustedDocuments } from './trusted-documents.ts';
import { jsonHeaders, useAnswerHeaders } from './use-answer-headers.ts';
import { useCause } from './use-cause.ts';
import { useDocs } from './use-docs.ts';
import { useDocuments } from './use-documents.ts';
import { useDryRun, wantsDryRun } from './use-dry-run.ts';
import { useEventResults } from './use-event-results.ts';
import { useGraphQLRequests } from './use-graphql-requests.ts';
import { useHealth } from './use-health.ts';
import { useHome } from './use-home.ts';
import { idempotencyKeyOf, useIdempotency } from './use-idempotency.ts';
import { useInputObjects } from './use-input-objects.ts';
import { useLimits } from './use-limits.ts';
import { useLiteralPaths } from './use-literal-paths.ts';
import { useLongWork } from './use-long-work.ts';
import { useNotFound } from './use-not-found.ts';
import { useProcessorNotices } from './use-processor-notices.ts';
import {
  note,
  type RequestRecord,
  recordOf,
  requestIdOf,
  useRequestLog,
} from './use-request-log.ts';
import { useSandboxPages } from './use-sandbox-pages.ts';
import { useSseIds } from './use-sse-ids.ts';
import { useStreamLimit } from './use-stream-limit.ts';
import { useTimeLimit } from './use-time-limit.ts';
import { useTrustedDocuments } from './use-trusted-documents.ts';
import { noteRefusal, yogaLog } from './yoga-log.ts';

interface Transport {
  /** The parameters that a WebSocket client sent when connecting, in place of headers. */
  connectionParams?: Record<string, unknown>;
  /** The WebSocket connection, for the log lines of its operations. */
  connection?: object;
  /** The HTTP request, or the one that opened the socket. */
  req?: IncomingMessage | undefined;
  /** Aborted when a socket is closed. */
  signal?: AbortSignal;
}

interface OriginCaller extends Caller {
  /** The origin of the page that sent the request or opened the socket. */
  readonly origin?: string | null | undefined;
  /** The record of the request, whose answer the page may read only if the credential allows its origin. */
  readonly record?: RequestRecord | undefined;
}

const unknown = { status: () => 'not checked', isForeign: () => false };
const graphqlEndpoint = '/graphql';

const isGraph = ({ pathname }: URL) =>
  pathname === graphqlEndpoint || pathname === `${graphqlEndpoint}/`;

/**
 * The whole service as one function from request to response; plugins are in the order in which a request meets them.
 */
export function createGateway(parts: GatewayParts) {
  const { orm, hub, logger, production, operationTimeLimitSeconds, publicUrl } = parts;
  const { readiness = unknown, slowRequestMilliseconds = 1_000 } = parts;
  const { limits = usualLimits(), webhookAllowPrivate = false, corsOrigins = '*' } = parts;
  const { trustedDocuments = noTrustedDocuments } = parts;
  const { auditAddresses = false } = parts;
  const origins = { publicUrl, trustProxy: limits.trustedProxies > 0 };
  const ofAnswers = jsonHeaders(publicUrl);
  const maskError = createMaskError(readiness.isForeign);
  const admit = createAdmission(createAuthenticate(orm, hub), limits);

  return createYoga<Transport, Context>({
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
    cors: (request) => corsOf(request, corsOrigins, recordOf(request)?.allowedOrigins),
    renderGraphiQL: graphiqlPage,
    graphiql: (request) =>
      !production &&
      isGraph(new URL(request.url)) && {
        title: 'Tollgate',
        defaultQuery: exampleOperations,
        headers: JSON.stringify({ Authorization: 'Bearer <secret key>' }, null, 2),
      },
    context: async ({ request, connection, connectionParams, params, req, signal }) => {
      const session = request
        ? await sessionOf(request, { req })
        : await noted(connection, {
            authorization: credentialOf(connectionParams),
            causeId: requestIdOf(connection),
            incoming: req,
            origin: req?.headers.origin,
          });
      const { expiresAt } = session;
      const preferences = request?.headers.get('prefer');
      const origin = request?.headers.get('origin') ?? req?.headers.origin;
      return {
        ...session,
        hasLeft: () => (signal ?? request?.signal)?.aborted ?? false,
        onFailure: (error, item) =>
          logger.error(
            { ...item, ...logged(error) },
            'A part of a request has failed; it is repeated',
          ),
        dryRun: wantsDryRun(preferences, params?.extensions),
        wantsCost: wantsCost(preferences, params?.extensions),
        idempotencyKey: idempotencyKeyOf(request, params?.extensions),
        lastEventId: lastEventIdOf(request),
        webhookAllowPrivate,
        publicUrl,
        // Uses the session of the operation: within its transaction, if it has one.
        async documentLink(invoice, kind) {
          const settings = await load(this, OrganizationSettings, this.organizationId);
          const secret = documentSecretOf(settings ?? (await settingsOf(this)));
          return documentLink(publicOrigin(origins, request), secret, invoice, kind, this.now);
        },
        follow: (filter, after) =>
          hub.follow({ ...filter, ...followedTenant(session, filter), expiresAt, origin }, after),
        watchDeliveries: ({ webhookId, id }) => {
          const { pricingModelId } = session;
          const credentialId = credentialIdOf(session);
          const own = { pricingModelId, credentialId, expiresAt, origin };
          return hub.watchDeliveries({ webhookId, id, ...own });
        },
      };
    },
    plugins: [
      useRequestLog(logger, routes, slowRequestMilliseconds),
      useAnswerHeaders({ graphqlEndpoint, publicUrl }),
      useHealth(readiness),
      useHome({ version, production, state: async () => readiness.status() }),
      useDocs(routes, schema),
      useDocuments(orm),
      useProcessorNotices(orm, logger),
      useSandboxPages(orm),
      useRest(routes, schema, {
        checkAccess: masked((session: Session, document: DocumentNode) =>
          checkAccess(session, schema, document),
        ),
        headersOf: (request) => ({ 'x-request-id': requestIdOf(request) ?? '', ...ofAnswers }),
        mask: (error) => maskError(error, 'Internal server error'),
      }),
      useNotFound(graphqlEndpoint),
      useCause(routes, {
        kept: auditAddresses,
        trustedProxies: limits.trustedProxies,
      }),
      // After REST, which has its own executor: the last wrapping is the outermost.
      useDryRun(),
      useInputObjects(new Set(routes.map(({ document }) => document))),
      useLiteralPaths(),
      // Within the time limit: an operation that exceeds it keeps its result all the same.
      useIdempotency(createOnce(orm)),
      useLongWork(limits, operationTimeLimitSeconds / 2),
      useTimeLimit(operationTimeLimitSeconds),
      useGraphQLRequests(maskedSessionOf, production ? undefined : introspect(schema)),
      useTrustedDocuments(trustedDocuments, maskedSessionOf),
      ...useLimits(schema, limits),
      useSseIds(),
      useEventResults(({ apiKeyId, ...context }) => ({
        ...context,
        ...openSession(orm.em, { ...context, now: lastKnownPresent(orm.em) }, apiKeyId),
      })),
      // After the plugins that subscribe, so that it wraps them.
      useStreamLimit(limits),
    ],
  });

  /** A request is admitted once, at the first use of its session. */
  async function sessionOf(request: Request, { req }: Transport): Promise<KeySession> {
    const record = recordOf(request);
    if (record?.session) return record.session;
    const session = noted(request, {
      authorization: request.headers.get('authorization'),
      causeId: record?.id,
      incoming: req,
      origin: request.headers.get('origin'),
      record,
    });
    if (record) record.session = session;
    return session;
  }

  /** Admits a caller, and adds its key, or the reason of the refusal, to the log line. */
  async function noted(asked: object | undefined, caller: OriginCaller): Promise<KeySession> {
    try {
      const session = await admit(caller);
      const { apiKeyId, customerTokenId, organizationId, livemode } = session;
      note(asked, { apiKeyId, customerTokenId, organizationId, livemode });
      if (session.allowedOrigins) {
        if (caller.record) caller.record.allowedOrigins = session.allowedOrigins;
        requireOrigin(session.allowedOrigins, caller.origin);
      }
      return session;
    } catch (error) {
      noteRefusal(asked, error);
      throw error;
    }
  }

  function maskedSessionOf(request: Request, transport: Transport) {
    return sessionOf(request, transport).catch((error) => {
      throw maskError(error, 'Unexpected error.', false);
    });
  }
}

export type Gateway = ReturnType<typeof createGateway>;
