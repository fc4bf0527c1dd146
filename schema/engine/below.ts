import type { EntityClass } from '@mikro-orm/core';
import { type Listed, newestFirst } from '#domain/kernel/lists/order.ts';
import type { Page } from '#domain/kernel/lists/page.ts';
import {
  type ParentColumn,
  pageBelow,
  pagesBelow,
  rowsBelow,
} from '#domain/kernel/lists/pages-below.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { countBeforeLists } from './accepted-usage.ts';
import { connectionOf, type ListInput, listArguments, pageInputOf } from './lists.ts';
import { accessTo } from './reference.ts';

/** The largest number of rows in a list without pages below an object. */
export const mostBelow = 1_000;

/** The bound of such a list, for its description. */
export const atMostBelow = `at most ${mostBelow.toLocaleString('en-US')}`;

/** The first rows of a list that is computed or read as a whole. */
export const upToMost = <T>(rows: readonly T[]): T[] => rows.slice(0, mostBelow);

interface Below {
  /** The property of the listed record with the id of the parent. */
  readonly by: string;
  readonly description: string;
  /** Names of its own for the types of connection and edge. */
  readonly types?: readonly [
    { name: string; description: string },
    { name: string; description: string },
  ];
}

/** The property of a row that refers to its parent, with its column. */
function parentColumn(session: Session, entity: EntityClass<object>, by: string) {
  const { properties } = session.em.getMetadata(entity);
  const column = (properties as Record<string, { fieldNames?: string[] }>)[by]?.fieldNames?.[0];
  if (!column) throw new Error(`${entity.name} has no column for ${by}`);
  return { property: by, column } satisfies ParentColumn;
}

/**
 * The records below an object in pages, with the arguments of their root list. The pages of all parents of one level
 * share one statement.
 */
// biome-ignore lint/suspicious/noExplicitAny: the builder of any object's fields
export function listBelow(t: any, entity: EntityClass<object>, { by, description, types }: Below) {
  return t.connection(
    {
      ...accessTo(entity),
      type: entity,
      description: `${description} Errors: BAD_REQUEST for an invalid size or cursor.`,
      args: listArguments(t, entity),
      resolve: async (parent: { id: string }, args: ListInput, session: Session) => {
        const listed = entity as EntityClass<Listed>;
        const column = parentColumn(session, entity, by);
        // A cursor belongs to one parent, so there is one statement at most.
        if (args.after != null || args.before != null) {
          await countBeforeLists(session, entity, by, [parent.id]);
          const input = pageInputOf(session, entity, args);
          return pageBelow(session, listed, column, parent.id, input);
        }
        const name = JSON.stringify([entity.name, by, args]);
        return batched<Page<Listed>>(session, name, parent.id, async (session, parents) => {
          await countBeforeLists(session, entity, by, parents);
          const input = pageInputOf(session, entity, args);
          return pagesBelow(session, listed, column, parents, input);
        });
      },
    },
    types?.[0] ?? connectionOf(entity),
    types?.[1],
  );
}

/** The newest records below an object without pages, oldest first. All parents of one level share one statement. */
export async function allBelow<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  by: string,
  parent: string,
  condition: object = {},
): Promise<T[]> {
  const rows = await rowsOf(session, entity, by, parent, { condition, orderBy: newestFirst });
  return rows.toReversed();
}

/** The first lines of a document, in their order. All documents of one level share one statement. */
export const linesBelow = <T extends object>(
  session: Session,
  entity: EntityClass<T>,
  by: string,
  parent: string,
): Promise<T[]> => rowsOf(session, entity, by, parent, { condition: {}, orderBy: linesInOrder });

const linesInOrder = { position: 'asc', id: 'asc' } as const;

async function rowsOf<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  by: string,
  parent: string,
  reading: { readonly condition: object; readonly orderBy: unknown },
): Promise<T[]> {
  const column = parentColumn(session, entity as EntityClass<object>, by);
  const name = JSON.stringify([entity.name, by, reading]);
  const rows = await batched(session, name, parent, (session, parents) =>
    rowsBelow(session, entity, column, parents, { ...reading, limit: mostBelow }),
  );
  return rows ?? [];
}
