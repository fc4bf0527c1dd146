import type { YogaInitialContext } from 'graphql-yoga';
import { logged } from '#domain/kernel/database-failure.ts';
import { credentialIdOf } from '#domain/kernel/session.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { documentLink, documentSecretOf } from '#domain/platform/access/document-link.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import type { Context } from '#schema/engine/builder.ts';
import { load } from '#schema/engine/load.ts';
import { type Asking, upgradeOf } from './auth/operator-credential.ts';
import type { EventHub } from './feed/event-hub.ts';
import { followedTenant } from './feed/followed-tenant.ts';
import { wantsDryRun } from './idempotency/use-dry-run.ts';
import { idempotencyKeyOf } from './idempotency/use-idempotency.ts';
import { wantsCost } from './limits/operation-cost.ts';
import type { Logger } from './observability/logger.ts';
import { invitationLink } from './operators/invitation-link.ts';
import { portalLink } from './portal/portal-link.ts';
import { positionIn } from './replicas/position.ts';
import { lastEventIdOf } from './sessions/client-values.ts';
import type { Sessions, Transport } from './sessions/request-sessions.ts';

/** The source of an operation. */
export type Asked = Transport & Partial<Pick<YogaInitialContext, 'request' | 'params'>>;

/** The properties of a context that the caller asks for. */
interface Wishes {
  readonly wantsCost: boolean;
  readonly idempotencyKey: string | undefined;
  /** The place in the log of the database that its reads must have. */
  readonly position: string | undefined;
}

interface Parts extends Pick<Context, 'webhookAllowPrivate' | 'publicUrl' | 'mailFrom'> {
  /** Waits until it is known which organizations the database serves; see `Readiness`. */
  readonly attend: () => Promise<void> | undefined;
  readonly hub: EventHub;
  readonly logger: Logger;
  /** The start of links, as the client of a request sees the service. */
  readonly originOf: (request: Asking | undefined) => string;
}

/** Makes the context of an operation: over HTTP, over a socket, or in REST. */
export function createContexts(
  { sessionOf, sessionOfSocket }: Sessions,
  { attend, hub, logger, webhookAllowPrivate, publicUrl, mailFrom, originOf }: Parts,
) {
  return async (asked: Asked): Promise<Context & Wishes> => {
    const { request, params, req, signal } = asked;
    const attended = attend();
    if (attended) await attended;
    const found = request ? sessionOf(request, asked) : sessionOfSocket(asked);
    const session = found instanceof Promise ? await found : found;
    const { expiresAt } = session;
    const preferences = request?.headers.get('prefer');
    const origin = request?.headers.get('origin') ?? req?.headers.origin;
    return {
      ...session,
      departure: () => signal ?? request?.signal,
      onFailure: (error, item) =>
        logger.error(
          { ...item, ...logged(error) },
          'A part of a request has failed; it is repeated',
        ),
      dryRun: wantsDryRun(preferences, params?.extensions),
      wantsCost: wantsCost(preferences, params?.extensions),
      idempotencyKey: idempotencyKeyOf(request, params?.extensions),
      position: positionIn(request, params?.extensions),
      lastEventId: lastEventIdOf(request),
      webhookAllowPrivate,
      publicUrl,
      mailFrom,
      invitationLink: (text) => invitationLink(originOf(request ?? (req && upgradeOf(req))), text),
      portalLink: (customer, wishes) => portalLink(originOf(request), session, customer, wishes),
      // Uses the session of the operation: within its transaction, if it has one.
      async documentLink(document, kind) {
        const settings = await load(this, OrganizationSettings, this.organizationId);
        const secret = documentSecretOf(settings ?? (await settingsOf(this)));
        return documentLink(originOf(request), secret, document, kind, this.now);
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
  };
}
