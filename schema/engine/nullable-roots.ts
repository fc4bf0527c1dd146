import {
  type GraphQLObjectType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/**
 * Makes each query and mutation that returns one object nullable. GraphQL sets the nearest nullable
 * ancestor of a failed field to null: with this, a failure costs the answer of its own root field
 * only. Lists stay non-null.
 */
export function nullableRoots(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values((root as GraphQLObjectType).getFields())) {
      if (isNonNullType(field.type) && isOneObject(field.type.ofType)) {
        field.type = field.type.ofType;
      }
    }
  }
  return schema;
}

/** Whether a root field returns one object; a page is a list. */
const isOneObject = (type: unknown) =>
  !isListType(type) && !(isObjectType(type) && type.name.endsWith('Connection'));
