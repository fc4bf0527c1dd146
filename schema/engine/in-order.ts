import {
  type DirectiveLocation,
  type GraphQLArgument,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

type Named = { readonly name: string };

/**
 * Sorts the names of a graph where they are: types, fields, arguments, values and directives. graphql-js would sort a
 * copy, and build the whole graph anew for it.
 */
export function inOrder(schema: GraphQLSchema): GraphQLSchema {
  sortKeys(schema.getTypeMap());
  sortNamed(schema.getDirectives());
  for (const { args, locations } of schema.getDirectives()) {
    sortNamed(args);
    (locations as DirectiveLocation[]).sort();
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type)) sortNamed(type.getValues());
    if (isUnionType(type)) sortNamed(type.getTypes());
    if (isInputObjectType(type)) sortKeys(type.getFields());
    if (isInterfaceType(type)) sortNamed(schema.getImplementations(type).objects);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    sortNamed(type.getInterfaces());
    sortKeys(type.getFields());
    for (const { args } of Object.values(type.getFields())) sortNamed<GraphQLArgument>(args);
  }
  return schema;
}

/** The collections of a schema are its own arrays, which its types declare as read-only. */
function sortNamed<T extends Named>(all: readonly T[]) {
  (all as T[]).sort((one, other) => inCodeUnits(one.name, other.name));
}

function sortKeys(all: Record<string, unknown>) {
  for (const [key, value] of Object.entries(all).sort(([one], [other]) =>
    inCodeUnits(one, other),
  )) {
    delete all[key];
    all[key] = value;
  }
}

const inCodeUnits = (one: string, other: string) => (one < other ? -1 : Number(one > other));
