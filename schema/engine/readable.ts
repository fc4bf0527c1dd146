import type { EntityClass } from '@mikro-orm/core';
import type { Listed } from '#domain/kernel/lists/order.ts';
import { readById } from '#domain/kernel/reads/read-by-id.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { builder } from './builder.ts';
import { type ListOptions, listField } from './lists.ts';
import { optionalReference, reference } from './reference.ts';

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
    organization: t.field(
      optionalReference(
        OrganizationSettings,
        'organizationId',
        'The organization that owns the object; null, with an error, for a publishable key.',
      ),
    ),
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
      pricingModel: t.field(
        reference(PricingModel, 'pricingModelId', 'The pricing model that the object belongs to.'),
      ),
    }),
  });

interface Reads<T> extends ListOptions {
  /** The query's name, for example `usageMeter`. */
  one: string;
  /** The list's name, for example `usageMeters`. */
  many: string;
  /** Part of the catalog, which publishable keys read too. */
  catalog?: boolean;
  entity: EntityClass<T>;
}

/** The three ways to read every resource: by id, as a list, and live. */
export function readable<T extends Listed>({
  one,
  many,
  noun,
  catalog,
  entity,
  ...options
}: Reads<T>) {
  const access = catalog ? { skipTypeScopes: true, authScopes: { anyKey: true } } : {};
  const name = one.replace(/^./, (letter) => letter.toUpperCase());
  const type = entity as never;
  listField<T>({ many, name, noun, entity, access, ...options });

  builder.queryField(one, (t) =>
    t.field({
      ...access,
      type,
      description: `One ${noun}. Errors: NOT_FOUND.`,
      args: { id: t.arg.id({ required: true, description: `The id of the ${noun}.` }) },
      resolve: (_root, { id }, session) => readById(session, entity, id) as never,
    }),
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
