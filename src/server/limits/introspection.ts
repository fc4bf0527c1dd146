import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getNullableType,
  introspectionTypes,
  isListType,
  isObjectType,
} from 'graphql';

const types = new Set<GraphQLNamedType | undefined>(introspectionTypes);

/** Whether a field describes the graph itself. */
export const isIntrospection = (
  { name }: GraphQLField<unknown, unknown>,
  type: GraphQLNamedType | undefined,
) => name === '__schema' || types.has(type);

/** The estimated lengths of the lists that describe the graph. */
const factors: Readonly<Record<string, number>> = {
  types: 480,
  fields: 10,
  inputFields: 8,
  enumValues: 5,
  possibleTypes: 20,
  interfaces: 2,
  args: 2,
};

export const introspectionFactorOf = (list: string) => factors[list] ?? 5;

type Wait = (context: unknown, info: GraphQLResolveInfo) => Promise<void> | undefined;

const waits: { current: Wait } = { current: () => undefined };
let isWrapped = false;

/**
 * Resolves the lists of introspection in slices. Its types belong to the library and are shared by all schemas, so they
 * are wrapped once in a process. Without a context they behave as before.
 */
export function sliceIntrospection(wait: Wait) {
  waits.current = wait;
  if (isWrapped) return;
  isWrapped = true;
  for (const type of introspectionTypes) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !isListType(getNullableType(field.type))) continue;
      field.resolve = (source, args, context, info) => {
        const turn = context ? waits.current(context, info) : undefined;
        return turn
          ? turn.then(() => resolve(source, args, context, info))
          : resolve(source, args, context, info);
      };
    }
  }
}
