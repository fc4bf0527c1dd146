import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ZodPlugin from '@pothos/plugin-zod';
import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import { issueOf } from '#domain/kernel/inputs/input-issues.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import type { DocumentKind } from '#domain/platform/access/document-link.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { secretKeyNeeded } from './access.ts';
import { nodeId, typeNameOf } from './type-names.ts';

/** The columns of a customer that decide on links to its portal. */
export type LinkedCustomer = Pick<Customer, 'id' | 'archived' | 'linkEpoch'>;

/** How a link to the portal opens it. */
export interface PortalWishes {
  /** The language of the pages; that of the browser when absent. */
  readonly locale?: string | null | undefined;
  /** The origins whose pages frame it; undefined for a link that is opened. */
  readonly origins?: readonly string[];
}

/**
 * The context of resolvers: the caller's session, and the part of the change feed that it may see.
 */
export interface Context extends FollowingSession {
  /** The ids of deliveries as they change, from now on; of one webhook, or one of them. */
  watchDeliveries(filter: {
    webhookId?: string | null | undefined;
    id?: string | null | undefined;
  }): AsyncIterableIterator<{ id: string }>;
  /** The link to the portal of a customer; null for a caller that may not create one. */
  portalLink(customer: LinkedCustomer, wishes: PortalWishes): string | null;
  /** A signed link under which an invoice, its receipt, a credit note or an e-invoice can be fetched for a day. */
  documentLink(
    this: Context,
    document: { readonly id: string },
    kind: DocumentKind,
  ): Promise<string>;
  /** The link with which a person accepts an invitation. */
  invitationLink(text: string): string;
  /** Is aborted when the caller goes before the answer; undefined where that cannot be known. */
  departure(): AbortSignal | undefined;
  /** When the caller's credential expires; null for never. */
  readonly expiresAt: Date | null;
  /** Whether webhooks may have addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** The start of links to this service, where it is configured. */
  readonly publicUrl?: string | undefined;
  /** The sender of mails of live mode where an organization has no address; absent while such mails are off. */
  readonly mailFrom?: string | undefined;
  /** The last sequence that a client had seen when it lost its connection. */
  readonly lastEventId: number | undefined;
}

/** Fields of every connection besides those of Relay. */
export interface ConnectionFields {
  totalCount: () => Promise<number>;
}

export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  Connection: ConnectionFields;
  AuthScopes: { secretKey: boolean; anyKey: boolean };
  Scalars: {
    ID: { Input: string; Output: string };
    Timestamp: { Input: Date; Output: Date };
    SafeInt: { Input: number; Output: number };
    Decimal: { Input: string; Output: string };
    EventType: { Input: EventType; Output: EventType };
    Sequence: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  // Authorization wraps everything else, so it comes first.
  plugins: [ScopeAuthPlugin, ZodPlugin, RelayPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    // The root fields of customer tokens are guarded one by one (`guard.ts`).
    authScopes: ({ keyType }) => ({ secretKey: keyType !== 'publishable', anyKey: true }),
    unauthorizedError: secretKeyNeeded,
  },
  zod: {
    validationError: ({ issues }) =>
      new DomainError('BAD_REQUEST', invalidInput, { issues: issues.map(issueOf) }),
  },
  relay: {
    cursorType: 'String',
    nodesOnConnection: { description: 'The records of the page, without their edges.' },
    // Ids are global by their prefix, so the graph, REST and webhooks show the same ones.
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: typeNameOf(id), id }),
    nodeQueryOptions: {
      description: 'Any object by its id; null when the API key cannot see such an object.',
      args: { id: { description: 'The id of the object.' } },
      skipTypeScopes: true,
      authScopes: { anyKey: true },
      resolve: (_root, { id }, context, _info, resolveNode) =>
        nodeId(id.id, context) ? resolveNode(id) : null,
    },
    idFieldOptions: { description: 'The id; its prefix identifies the type of the object.' },
    // `nodes` is in `nodes.ts`.
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'An object with an id that is unique in the whole service.' },
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    edgesFieldOptions: {
      description: 'The records of the page, each with its cursor.',
      nullable: false,
    },
    pageInfoFieldOptions: { description: 'The position of the page in the list.' },
    cursorFieldOptions: {
      description: 'The cursor of this record; pass it as `after` to read the next records.',
    },
    nodeFieldOptions: { description: 'The record.', nullable: false },
    hasNextPageFieldOptions: { description: 'Whether records follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether records precede this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first record of the page.' },
    endCursorFieldOptions: { description: 'The cursor of the last record of the page.' },
    firstArgOptions: {
      description: 'The number of records from the start, 1 to 100; 10 when absent.',
    },
    afterArgOptions: { description: 'Returns only records after this cursor.' },
    lastArgOptions: { description: 'The number of records from the end, 1 to 100.' },
    beforeArgOptions: { description: 'Returns only records before this cursor.' },
  },
});

/** The types that the builder knows: its context, its scalars and their values. */
export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

// Fields require a secret key unless they are declared readable by any key.
builder.queryType({
  description: 'The read operations.',
  authScopes: { secretKey: true },
});
builder.mutationType({
  description: 'The write operations. Each field is one command in one transaction.',
  authScopes: { secretKey: true },
});
builder.subscriptionType({
  // The name Subscription belongs to what customers subscribe to.
  name: 'LiveUpdates',
  description: 'The live updates, over WebSocket (graphql-transport-ws) or SSE.',
  authScopes: { secretKey: true },
});
