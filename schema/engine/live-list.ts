import type { EntityClass } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import type { Listed } from '#domain/kernel/lists/order.ts';
import type { Condition } from '#domain/kernel/lists/where.ts';
import {
  type ChangedRows,
  type FeedOfList,
  rowsChangedByFeed,
} from '#domain/platform/feed/changed-rows.ts';
import {
  type FollowedList,
  type ListChange,
  listChangeKinds,
  listChanges,
  mostKnownRows,
} from '#domain/platform/feed/list-changes.ts';
import { builder, type Context } from './builder.ts';
import { described } from './described.ts';
import { fieldMarks } from './extensions.ts';
import { type ListInput, listArguments, pageInputOf, timedConditionOf } from './lists.ts';
import { typeOf } from './load.ts';

/** The size of the snapshot, in rows. */
const snapshot = { usual: 100, most: 1_000 } as const;

const ListChangeKind = builder.enumType('ListChangeKind', {
  description: 'The way in which rows of a live list change.',
  values: described(listChangeKinds, {
    snapshot: 'The first rows of the list. They replace all rows that the client has.',
    entered: 'The rows match the conditions now. The client may already have some of them.',
    changed: 'The rows have changed and still match.',
    left: 'The rows no longer match. The client may have none of them.',
  }),
});

interface Arguments {
  readonly where?: unknown;
  readonly orderBy?: unknown;
  readonly first?: unknown;
}

interface LiveList<T> {
  /** The name of the list and of the live field, for example `invoices`. */
  readonly many: string;
  /** The type's name, for example `Invoice`. */
  readonly name: string;
  readonly plural: string;
  readonly entity: EntityClass<T>;
  readonly withIds?: (ids: readonly string[]) => Condition;
}

interface ListOfFeed<T> extends LiveList<T>, Omit<FeedOfList, 'clocks'> {
  /** Further sentences for the description. */
  readonly further?: string;
}

interface ListBesideFeed<T> extends LiveList<T> {
  readonly further?: string;
  /** Further errors for the description. */
  readonly errors: string;
  /** The changes of rows after a place in the feed or from now on. */
  changesAfter(context: Context, after: number | undefined): Promise<ChangedRows>;
}

/** Adds a list to the live updates: a snapshot, and then rows that enter, change and leave. */
export function liveList<T extends Listed>(list: ListOfFeed<T> | ListBesideFeed<T>) {
  const { many, name, plural, entity, further = '' } = list;
  const errors = 'errors' in list ? `; ${list.errors}` : '';
  builder.subscriptionField(many, (t) =>
    t.field({
      type: listChangeOf(name, plural, entity),
      description: `Emits the first ${plural} in their order, and then rows that enter, change and leave the list. With \`after\`, emits only the changes since.${further} Errors: BAD_REQUEST for invalid conditions or a sequence that is no longer retained${errors}.`,
      args: {
        ...argumentsOf(t, entity),
        after: t.arg({
          type: 'Sequence',
          description:
            'The last sequence received; a snapshot comes first when absent. SSE clients may send Last-Event-ID.',
        }),
      },
      extensions: fieldMarks({ snapshot }),
      subscribe: async (_root, args, context) => {
        const followed = await followedOf(context, list, args);
        const after = args.after ?? context.lastEventId;
        const changes =
          'changesAfter' in list
            ? await list.changesAfter(context, after)
            : await rowsChangedByFeed(
                context,
                { ...list, clocks: followed.timed !== undefined },
                after,
              );
        return listChanges(context, followed, changes, after) as AsyncIterable<never>;
      },
      resolve: (change) => change,
    }),
  );
}

/** The arguments of a live list besides the place from which it resumes. */
// biome-ignore lint/suspicious/noExplicitAny: the builder of the arguments of a subscription field
const argumentsOf = (t: any, entity: EntityClass<object>) => ({
  ...listArguments(t, entity),
  first: t.arg.int({
    description: `The largest number of rows in the snapshot, 1 to ${snapshot.most}; ${snapshot.usual} when absent. It does not limit the changes.`,
  }),
});

/** The list that some arguments ask for. Errors: BAD_REQUEST for conditions out of range. */
async function followedOf<T extends Listed>(
  context: Context,
  { entity, withIds }: Pick<LiveList<T>, 'entity' | 'withIds'>,
  { where, orderBy, first }: Arguments,
): Promise<FollowedList<T>> {
  const size = (first as number | null | undefined) ?? snapshot.usual;
  if (size < 1 || size > snapshot.most) {
    throw invalid('OUT_OF_RANGE', 'first', `must be from 1 to ${snapshot.most}`);
  }
  const plain = entity as EntityClass<object>;
  const input: FollowedList<T>['input'] = async (session) =>
    pageInputOf(session, plain, { where, orderBy } as ListInput);
  await input(context);
  const timed = timedConditionOf(plain, where as object | null | undefined);
  return { entity, input, first: size, timed, ...(withIds && { withIds }) };
}

/** The type of the changes of a list. */
const listChangeOf = (name: string, plural: string, entity: EntityClass<object>) =>
  builder.objectRef<ListChange>(`${name}ListChange`).implement({
    description: `A change of a live list of ${plural}. At most ${mostKnownRows.toLocaleString('en-US')} rows are remembered for a client; a row beyond them enters instead of changing.`,
    fields: (t) => ({
      kind: t.expose('kind', { type: ListChangeKind, description: 'The kind of the change.' }),
      sequence: t.expose('sequence', {
        type: 'Sequence',
        description:
          'The position in the feed up to which all changes have been emitted; resume after it.',
      }),
      ids: t.exposeIDList('ids', { description: `The ids of the ${plural}.` }),
      nodes: t.field({
        type: [typeOf(entity)],
        description: `The ${plural}, in the order of \`ids\`; none when they have left the list.`,
        resolve: ({ rows }) => rows as readonly object[],
      }),
      hasMore: t.exposeBoolean('hasMore', {
        description:
          'Whether the list has more rows than the snapshot; read them with the list itself.',
      }),
    }),
  });
