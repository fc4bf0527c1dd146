import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  OperationTypeNode,
} from 'graphql';
import type { CredentialType } from '#domain/kernel/session.ts';
import { mayRead } from '#schema/engine/type-access.ts';
import { schema } from '#schema/index.ts';

type Field = GraphQLField<unknown, unknown>;

/** A root field of the graph. */
export interface Operation {
  readonly kind: OperationTypeNode;
  readonly name: string;
  readonly field: Field;
}

/** Every query, mutation and live update. */
export const operations: readonly Operation[] = Object.values(OperationTypeNode).flatMap((kind) =>
  Object.entries(schema.getRootType(kind)?.getFields() ?? {}).map(([name, field]) => ({
    kind,
    name,
    field: field as Field,
  })),
);

/** Ids by the names of their types, and other texts by the names of their arguments. */
export type Names = Readonly<Record<string, string>>;

/** The kind of row that an operation works on: its own type, or the record within its payload. */
export function typeOf({ type }: Field): string {
  const named = getNamedType(type);
  if (!isObjectType(named) || named.getInterfaces().length > 0) return named.name;
  const records = Object.values(named.getFields()).map((field) => getNamedType(field.type));
  return records.find((record) => isObjectType(record))?.name ?? named.name;
}

/** The id that an argument of a name asks for. */
function idFor(name: string, ids: Names, own: string): string {
  const noun = name.replace(/Ids?$/, '');
  const type = Object.keys(ids)
    .filter((type) => noun.toLowerCase().endsWith(type.toLowerCase()))
    .sort((one, other) => other.length - one.length)[0];
  if (name === 'claimIds') return ids.ResourceClaim ?? '';
  return ids[type ?? ''] ?? ids[own] ?? ids.Invoice ?? '';
}

const alternatives = new Set(['addFeatureToSubscription.featureId', 'replayWebhook.after']);

/** Required arguments, and all that take ids: each names an object of `ids`. */
export function argumentsOf({ name, field }: Operation, ids: Names) {
  const own = typeOf(field);
  const isAsked = ({ name: argument, type }: GraphQLArgument) =>
    isNonNullType(type) ||
    getNamedType(type).name === 'ID' ||
    alternatives.has(`${name}.${argument}`);
  const asked = field.args.filter(isAsked);
  return {
    asked,
    variables: Object.fromEntries(
      asked.map(({ name, type }) => [name, valueFor(name, type, ids, own)]),
    ),
  };
}

/** A value of an enumeration that needs no other field: a date needs one. */
export const plainValue = (type: GraphQLEnumType) =>
  type.getValues().find(({ name }) => name !== 'at_date');

function valueFor(name: string, type: GraphQLInputType, ids: Names, own: string): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [valueFor(name, inner.ofType, ids, own)];
  if (isEnumType(inner)) return plainValue(inner)?.value;
  if (isScalarType(inner)) {
    if (inner.name === 'ID') return idFor(name, ids, own);
    if (inner.name === 'Boolean') return true;
    if (/Int|Sequence|Timestamp|Decimal/.test(inner.name)) return 1;
    return inner.name === 'JSON' ? {} : (ids[name] ?? 'x');
  }
  if (!isInputObjectType(inner)) return undefined;
  const fields = Object.values(inner.getFields()).filter(
    (field) => isNonNullType(field.type) || getNamedType(field.type).name === 'ID',
  );
  return Object.fromEntries(
    fields.map((field) => [field.name, valueFor(field.name, field.type, ids, own)]),
  );
}

/** The text of an operation that asks for all that the type of credential may read, two objects deep. */
export function documentOf(operation: Operation, keyType: CredentialType): string {
  const { kind, name, field } = operation;
  const { asked } = argumentsOf(operation, {});
  const variables = asked.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = asked.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = `${kind}${variables && `(${variables})`}`;
  const selection = selectionOf(getNamedType(field.type), keyType, 2);
  return `${head} { ${name}${args && `(${args})`} ${selection} }`;
}

function selectionOf(type: GraphQLNamedType, keyType: CredentialType, depth: number): string {
  if (isLeafType(type)) return '';
  if (!isObjectType(type)) return '{ __typename }';
  const fields = Object.values(type.getFields()).flatMap((field): string[] => {
    const named = getNamedType(field.type);
    if (field.args.some((argument) => isNonNullType(argument.type))) return [];
    if (keyType === 'customer_token' && field.extensions.hiddenFromTokens) return [];
    if (isLeafType(named)) return [field.name];
    const isPart = /(Connection|Edge)$|^PageInfo$/.test(named.name);
    if (!isPart && isObjectType(named) && !mayRead(keyType, named.name)) return [];
    const isPage = /Connection$/.test(type.name);
    if (isPage ? field.name !== 'nodes' : depth <= 1 || isListType(getNullableType(field.type))) {
      return [];
    }
    return [`${field.name} ${selectionOf(named, keyType, isPage ? depth : depth - 1)}`];
  });
  return `{ ${['__typename', ...fields].join(' ')} }`;
}
