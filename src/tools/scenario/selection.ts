import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Values } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** The fields that a value names, each with those below it. */
type Fields = Map<string, Fields>;

/** The list of a page. */
export const listOfPage = 'nodes';
const mostOfPage = 100;

/** Whether a type is a page of a list. */
export const isPage = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.name.endsWith('Connection') && listOfPage in type.getFields();

/**
 * The selection that reads what an expected value names, with its braces; empty for a value without fields. A list in
 * the place of a page means its records. Errors: ScenarioError for a field that the type does not have.
 */
export function selectionOf(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  expected: unknown,
  line: number,
): string {
  return select(type, fieldsOf(expected), Array.isArray(expected));

  function select(type: GraphQLNamedType, fields: Fields, isList: boolean): string {
    if (!isCompositeType(type)) return '';
    const within: Fields = isList && isPage(type) ? new Map([[listOfPage, fields]]) : fields;
    const parts = [...within].map(([name, below]) => selectField(type, name, below));
    return `{ __typename ${parts.join(' ')} }`;
  }

  function selectField(type: GraphQLNamedType, name: string, below: Fields): string {
    if (isObjectType(type) || isInterfaceType(type)) {
      const field = type.getFields()[name];
      if (field) return withBelow(field, below);
    }
    const among = isAbstractType(type) ? [...schema.getPossibleTypes(type)] : [];
    const having = among.filter((one) => name in one.getFields());
    if (having.length === 0) throw new ScenarioError(unknownField(type, name, among), line);
    return having
      .map((one) => {
        const field = one.getFields()[name];
        return field ? `... on ${one.name} { ${withBelow(field, below)} }` : '';
      })
      .join(' ');
  }

  function withBelow(field: GraphQLField<unknown, unknown>, below: Fields): string {
    const type = getNamedType(field.type);
    const page = isPage(type);
    const isList = page && !below.has(listOfPage) && !below.has('totalCount');
    const limit = page && field.args.some(({ name }) => name === 'first');
    return `${field.name}${limit ? `(first: ${mostOfPage})` : ''} ${select(type, below, isList)}`;
  }
}

function unknownField(
  type: GraphQLNamedType,
  name: string,
  among: readonly GraphQLNamedType[],
): string {
  const types = isObjectType(type) || isInterfaceType(type) ? [type, ...among] : among;
  const names = new Set(
    types.flatMap((one) =>
      isObjectType(one) || isInterfaceType(one) ? Object.keys(one.getFields()) : [],
    ),
  );
  return `${type.name} has no field ${name}; its fields are ${[...names].sort().join(', ')}`;
}

/** Records of a list name their fields together. */
function fieldsOf(value: unknown): Fields {
  const fields: Fields = new Map();
  const add = (into: Fields, part: unknown) => {
    if (Array.isArray(part)) for (const one of part) add(into, one);
    else if (typeof part === 'object' && part) {
      for (const [name, inner] of Object.entries(part as Values)) {
        const below = into.get(name) ?? new Map();
        into.set(name, below);
        add(below, inner);
      }
    }
  };
  add(fields, value);
  return fields;
}
