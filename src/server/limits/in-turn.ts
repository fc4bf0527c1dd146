import type { GraphQLFieldResolver } from 'graphql';
import { Attached } from '#domain/kernel/reads/attached.ts';

/** The last of the long fields of an operation, by its context. */
const last = new Attached<object, Promise<unknown>>();

/**
 * Resolves the fields of one operation that take long one after the other, as the fields of a mutation are. So an
 * operation uses the connection of its slot, and no others.
 */
export const inTurn =
  <Source, Context extends object>(
    resolve: GraphQLFieldResolver<Source, Context>,
  ): GraphQLFieldResolver<Source, Context> =>
  (source, args, context, info) => {
    const before = last.get(context) ?? Promise.resolve();
    const own = before.then(() => resolve(source, args, context, info));
    // The next one only waits; the failure is that of this field.
    last.set(
      context,
      own.catch(() => {}),
    );
    return own;
  };
