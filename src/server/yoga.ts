import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createYoga } from 'graphql-yoga';
import type { EventFilter } from '#domain/events/read-events.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { lastKnownPresent } from '#domain/present.ts';
import { openSession, type Session } from '#domain/session.ts';
import { routes } from '#rest/index.ts';
import { useRest } from '#rest/use-rest.ts';
import type { Context } from '#schema/builder.ts';
import { schema } from '#schema/index.ts';
import { createAuthenticate } from './authenticate.ts';
import { documentLink } from './document-links.ts';
import type { EventHub } from './event-hub.ts';
import { exampleOperations } from './example-operations.ts';
import { createOnce } from './idempotency.ts';
import type { Logger } from './logger.ts';
import { maskError } from './mask-error.ts';
import { useBodyLimit } from './use-body-limit.ts';
import { useDocs } from './use-docs.ts';
import { useDocuments } from './use-documents.ts';
import { useDryRun, wantsDryRun } from './use-dry-run.ts';
import { useEventResults } from './use-event-results.ts';
import { useHealth } from './use-health.ts';
import { idempotencyKeyOf, useIdempotency } from './use-idempotency.ts';
import { useLimits } from './use-limits.ts';
import { requestIdOf, useRequestLog } from './use-request-log.ts';
import { useSseIds } from './use-sse-ids.ts';
import { useTimeLimit } from './use-time-limit.ts';

interface Transport {
  /** What a WebSocket client sent when connecting, in place of headers. */
  connectionParams?: Record<string, unknown>;
}

export interface GatewayParts {
  readonly orm: MikroORM;
  readonly hub: EventHub;
  readonly logger: Logger;
  readonly production: boolean;
  readonly operationTimeLimitSeconds: number;
  /** What links to this service begin with; what the request was sent to when absent. */
  readonly publicUrl?: string | undefined;
}

const graphqlEndpoint = '/graphql';

/** The whole service as one function from request to response, in the order in which a request meets its parts. */
export function createGateway(parts: GatewayParts) {
  const { orm, hub, logger, production, operationTimeLimitSeconds, publicUrl } = parts;
  const authenticate = createAuthenticate(orm, hub);

  return createYoga<Transport, Context>({
    schema,
    graphqlEndpoint,
    landingPage: false,
    // `useBodyLimit` sees to it, by what the request announces; this would copy every body through a stream.
    maxRequestBodySize: false,
    maskedErrors: { maskError },
    logging: quiet(logger),
    cors: {
      origin: '*',
      credentials: false,
      exposedHeaders: [
        'X-Request-Id',
        'Idempotent-Replayed',
        'Preference-Applied',
        'Usage-Duplicates',
      ],
    },
    renderGraphiQL,
    graphiql: !production && {
      title: 'Tollgate',
      defaultQuery: exampleOperations,
      headers: JSON.stringify({ Authorization: 'Bearer <secret key>' }),
    },
    context: async ({ request, connectionParams, params }) => {
      const header = request?.headers.get('authorization') ?? credentialOf(connectionParams);
      const { expiresAt, ...session } = await authenticate(header, requestIdOf(request));
      return {
        ...session,
        dryRun: wantsDryRun(request, params?.extensions),
        idempotencyKey: idempotencyKeyOf(request, params?.extensions),
        lastEventId: lastEventIdOf(request),
        // By the session of the operation: within its transaction, if it has one.
        async documentLink(invoice, kind) {
          const organization = await this.em.findOneOrFail(Organization, this.organizationId);
          const origin = publicUrl ?? (request ? new URL(request.url).origin : '');
          return documentLink(origin, organization.documentSecret, invoice, kind, this.now);
        },
        follow: (filter, after) =>
          hub.follow({ ...filter, ...tenantOf(session, filter), expiresAt }, after),
        watchDeliveries: ({ webhookId, id }) => {
          const { pricingModelId, apiKeyId } = session;
          return hub.watchDeliveries({ webhookId, id, pricingModelId, apiKeyId, expiresAt });
        },
      };
    },
    plugins: [
      useRequestLog(logger),
      useHealth(orm),
      useDocs(routes, schema),
      useDocuments(orm),
      useRest(routes, schema),
      // After REST, which brings its own way to execute: the last wrapping is the outermost.
      useDryRun(),
      // Within the time limit: what goes on after it keeps its answer all the same.
      useIdempotency(createOnce(orm)),
      useTimeLimit(operationTimeLimitSeconds),
      useBodyLimit(),
      ...useLimits(),
      useSseIds(),
      useEventResults(({ apiKeyId, ...context }) => ({
        ...context,
        ...openSession(orm.em, { ...context, now: lastKnownPresent(orm.em) }, apiKeyId),
      })),
    ],
  });
}

export type Gateway = ReturnType<typeof createGateway>;

/** What a session may follow: its pricing model, and any pricing model's own record. */
function tenantOf(
  { organizationId, livemode, pricingModelId, apiKeyId }: Session,
  { objectId }: EventFilter,
) {
  const own = objectId?.startsWith('pricing_model_') ? {} : { pricingModelId };
  return { organizationId, livemode, apiKeyId, ...own };
}

/** Where an SSE client goes on, as browsers send it when they reconnect. */
function lastEventIdOf(request: Request | undefined): number | undefined {
  const header = request?.headers.get('last-event-id');
  return header && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** WebSocket clients cannot set headers in a browser, so they send the key when they connect. */
export function credentialOf(params: Record<string, unknown> | undefined): string | undefined {
  const value = params?.authorization ?? params?.Authorization;
  return typeof value === 'string' ? value : undefined;
}

/** Yoga logs what it masks; refusals are masked too, and they are answers, not errors. */
function quiet(logger: Logger) {
  const isRefusal = (value: unknown) =>
    ['DomainError', 'GraphQLError'].includes((value as Error)?.name) &&
    ((value as { originalError?: Error }).originalError?.name ?? 'DomainError') === 'DomainError';
  return {
    debug: () => {},
    info: (...values: unknown[]) => logger.debug({ values }),
    warn: (...values: unknown[]) => logger.warn({ values }),
    error: (...values: unknown[]) => {
      const [error] = values;
      if (!isRefusal(error)) logger.error({ err: error }, 'A request has failed');
    },
  };
}
