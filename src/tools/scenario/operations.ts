import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import type { Wanted } from './references.ts';
import type { Action, Expectation, Values } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import { isPage, selectionOf } from './selection.ts';

export interface Operation {
  readonly query: string;
  readonly variables: Values;
}

type Field = GraphQLField<unknown, unknown>;

const mostOfPage = 100;

/** The operation of an action, which reads what later steps want of its result. Errors: ScenarioError. */
export function mutationOf(
  schema: GraphQLSchema,
  { mutation, line }: Action,
  args: Values,
  paths: ReadonlySet<string>,
): Operation {
  const field = fieldNamed(schema.getMutationType()?.getFields(), mutation, 'mutation', line);
  const type = getNamedType(field.type);
  const shape = [...paths].map((path) => nested(fullPath(type, mutation, path, line)));
  return operation('mutation', field, args, selectionOf(schema, type, shape, line), line);
}

/** The operation that reads what is expected. Errors: ScenarioError. */
export function queryOf(
  schema: GraphQLSchema,
  { field: name, is, include, count, line }: Expectation,
  args: Values,
): Operation {
  const field = fieldNamed(schema.getQueryType()?.getFields(), name, 'query', line);
  const type = getNamedType(field.type);
  const page = isPage(type);
  const records = [...(Array.isArray(is) ? is : []), ...(include ?? [])];
  const whole = page && (count !== undefined || Array.isArray(is) || include !== undefined);
  const selected = whole ? { nodes: records, totalCount: 0 } : is;
  const limited = page && args.first === undefined && args.last === undefined;
  const all = limited ? { ...args, first: mostOfPage } : args;
  return operation('query', field, all, selectionOf(schema, type, selected, line), line);
}

/** The query that finds one record by the paths that are wanted of it. Errors: ScenarioError. */
export function findOf(
  schema: GraphQLSchema,
  { field: name, line }: Expectation,
  args: Values,
  paths: ReadonlySet<string>,
): Operation {
  const field = fieldNamed(schema.getQueryType()?.getFields(), name, 'query', line);
  const type = getNamedType(field.type);
  const shape = [...paths].map((path) => nested(path || 'id'));
  const selected = isPage(type) ? { nodes: shape } : shape;
  return operation('query', field, args, selectionOf(schema, type, selected, line), line);
}

/** The values of the wanted paths in a result. */
export function valuesOf(
  schema: GraphQLSchema,
  kind: 'mutation' | 'query',
  name: string,
  result: unknown,
  paths: ReadonlySet<string>,
): ReadonlyMap<string, unknown> {
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const field = root?.getFields()[name];
  const type = field && getNamedType(field.type);
  return new Map(
    [...paths].map((path) => {
      const full = type && kind === 'mutation' ? fullPath(type, name, path, 0) : path || 'id';
      const value = full
        .split('.')
        .reduce<unknown>((part, key) => (part as Values | null | undefined)?.[key], result);
      return [path, value];
    }),
  );
}

/** The paths that are wanted of a named step. */
export const pathsOf = (wanted: Wanted, name: string | undefined): ReadonlySet<string> =>
  (name === undefined ? undefined : wanted.get(name)) ?? new Set();

/** Without a path the id is meant, of the record that the payload is about. */
function fullPath(type: GraphQLNamedType, mutation: string, path: string, line: number): string {
  if (!isObjectType(type)) throw new ScenarioError(`${mutation} has no result to refer to`, line);
  if (path !== '') return path;
  const records = Object.values(type.getFields()).filter(({ type }) => {
    const named = getNamedType(type);
    return isObjectType(named) && 'id' in named.getFields();
  });
  const noun = mutation.replace(/^[a-z]+/, '').toLowerCase();
  const about = records.find(({ name }) => name.toLowerCase() === noun) ?? records[0];
  if (!about) throw new ScenarioError(`The result of ${mutation} has no id: name a path`, line);
  return `${about.name}.id`;
}

const nested = (path: string): unknown =>
  path.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), null);

/** Arguments become variables, so that the graph checks them as those of any caller. */
function operation(
  kind: 'mutation' | 'query',
  field: Field,
  args: Values,
  selection: string,
  line: number,
): Operation {
  const names = Object.keys(args);
  const types = names.map((name) => {
    const argument = field.args.find((one) => one.name === name);
    if (argument) return `$${name}: ${argument.type}`;
    const known = field.args.map((one) => one.name).join(', ') || 'none';
    throw new ScenarioError(
      `${field.name} has no argument ${name}; its arguments are ${known}`,
      line,
    );
  });
  const declared = names.length > 0 ? `(${types.join(', ')})` : '';
  const passed = names.length > 0 ? `(${names.map((name) => `${name}: $${name}`).join(', ')})` : '';
  return { query: `${kind}${declared} { ${field.name}${passed} ${selection} }`, variables: args };
}

function fieldNamed(
  fields: Readonly<Record<string, Field>> | undefined,
  name: string,
  kind: string,
  line: number,
): Field {
  const field = fields?.[name];
  if (field) return field;
  throw new ScenarioError(
    `There is no ${kind} ${name}; there are ${Object.keys(fields ?? {})
      .sort()
      .join(', ')}`,
    line,
  );
}
