import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import type { Listed } from '#domain/kernel/lists/order.ts';
import { readById } from '#domain/kernel/reads/read-by-id.ts';
import { builder } from './builder.ts';
import { type ListOptions, listField } from './lists.ts';
import { typeOf } from './load.ts';

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
  const type = typeOf(entity as EntityClass<object>);
  listField<T>({ many, name, noun, entity, access, ...options });

  builder.queryField(one, (t) =>
    t.field({
      ...access,
      type,
      description: `One ${noun}. Errors: NOT_FOUND.`,
      args: { id: t.arg.id({ required: true, description: `The id of the ${noun}.` }) },
      resolve: (_root, { id }, session) => readById(session, entity, id),
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
          await em.findOneOrFail(entity, id as FilterQuery<NoInfer<T>>);
        } catch (error) {
          // A refused client follows nothing and must not remain among the followers.
          await changes.return?.();
          throw error;
        }
        return changes as AsyncIterable<never>;
      },
      resolve: (_change, { id }, { em }) => em.findOneOrFail(entity, id as FilterQuery<NoInfer<T>>),
    }),
  );
}
