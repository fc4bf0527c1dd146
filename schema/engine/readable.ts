import type { EntityClass } from '@mikro-orm/core';
import type { InputRef } from '@pothos/core';
import { type Listed, page } from '#domain/kernel/page.ts';
import { readById } from '#domain/kernel/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { builder } from './builder.ts';
import { ListOrder } from './connection.ts';

interface OwnedRow {
  createdAt: Date;
  updatedAt: Date;
  livemode: boolean;
  organizationId: string;
}

/** The fields of every record. */
export const OrganizationRecord = builder.interfaceRef<OwnedRow>('OrganizationRecord').implement({
  description: 'A record of an organization, in test mode or in live mode.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'The time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'Timestamp',
      description: 'The time of the last change.',
    }),
    livemode: t.exposeBoolean('livemode', {
      description: 'Live data (true) or test data (false).',
    }),
    organizationId: t.exposeID('organizationId', {
      description: 'The organization that owns the object.',
    }),
  }),
});

/** The fields of every record of a pricing model. */
export const PricingModelRecord = builder
  .interfaceRef<OwnedRow & { pricingModelId: string }>('PricingModelRecord')
  .implement({
    description: 'A record of a pricing model.',
    interfaces: [OrganizationRecord],
    fields: (t) => ({
      pricingModelId: t.exposeID('pricingModelId', {
        description: 'The pricing model that the object belongs to.',
      }),
    }),
  });

interface Reads<T> {
  /** The query's name, for example `usageMeter`. */
  one: string;
  /** The list's name, for example `usageMeters`. */
  many: string;
  /** In words, for the descriptions, for example `usage meter`. */
  noun: string;
  filter?: InputRef<object>;
  /** The records that lists omit unless the filter asks for them. */
  usualFilter?: object;
  /** The condition that a filter makes on the table now; equal columns when absent. */
  conditionOf?: (filter: object | undefined, session: Session) => object | undefined;
  /** Part of the catalog, which publishable keys read too. */
  catalog?: boolean;
  entity: EntityClass<T>;
}

/** The three ways to read every resource: by id, as a list, and live. */
export function readable<T extends Listed>({
  one,
  many,
  noun,
  filter,
  usualFilter,
  conditionOf = (filter) => filter,
  catalog,
  entity,
}: Reads<T>) {
  const access = catalog ? { skipTypeScopes: true, authScopes: { anyKey: true } } : {};
  const name = one.replace(/^./, (letter) => letter.toUpperCase());
  const type = entity as never;

  builder.queryField(one, (t) =>
    t.field({
      ...access,
      type,
      description: `One ${noun}. Errors: NOT_FOUND.`,
      args: { id: t.arg.id({ required: true, description: `The id of the ${noun}.` }) },
      resolve: (_root, { id }, session) => readById(session, entity, id) as never,
    }),
  );

  builder.queryField(many, (t) =>
    t.connection(
      {
        ...access,
        type,
        description: `The ${noun}s, oldest first. Errors: BAD_REQUEST for an invalid size or cursor.`,
        args: {
          ...(filter && {
            filter: t.arg({
              type: filter,
              description: 'Returns only records that match all of these.',
            }),
          }),
          orderBy: t.arg({
            type: ListOrder,
            description: 'The order; `created_at_asc` when absent.',
          }),
        },
        resolve: (_root, args, session) => {
          const filter = given({ ...usualFilter, ...nonNull(args.filter) });
          const condition = conditionOf(filter, session);
          return page(session, entity, { ...args, filter, condition }) as never;
        },
      },
      { name: `${name}Connection`, description: `A page of ${noun}s.` },
      { name: `${name}Edge`, description: `A ${noun} and its cursor.` },
    ),
  );

  builder.subscriptionField(`${one}Changed`, (t) =>
    t.field({
      ...access,
      type,
      description: `Emits the ${noun} after each committed change. Errors: NOT_FOUND.`,
      args: { id: t.arg.id({ required: true, description: `The id of the ${noun}.` }) },
      subscribe: async (_root, { id }, { em, follow }) => {
        // The place in the feed is taken first, so that no change falls between the look and it.
        const changes = await follow({ objectId: id, wakesOnly: true });
        try {
          await em.findOneOrFail(entity, id as never);
        } catch (error) {
          // A refused client follows nothing and must not remain among the followers.
          await changes.return?.();
          throw error;
        }
        return changes as AsyncIterable<never>;
      },
      resolve: (_change, { id }, { em }) => em.findOneOrFail(entity, id as never) as never,
    }),
  );
}

function given(filter: object) {
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** A filter field that is null filters nothing. */
const nonNull = (filter: object | null | undefined) =>
  Object.fromEntries(Object.entries(filter ?? {}).filter(([, value]) => value != null));
