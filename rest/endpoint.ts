import { type GraphQLSchema, Kind, validate } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { type Issue, misfits } from './errors.ts';
import { timestampNames } from './legacy.ts';
import type { Route } from './route.ts';
import { type Heeded, heededBy } from './unheeded.ts';
import { variablesOf } from './variables.ts';

/** A route with what is worked out once, when it is first asked for. */
export interface Endpoint extends Route, Heeded {
  readonly variables: ReturnType<typeof variablesOf>;
  readonly times: ReadonlySet<string>;
  /** Under which name the caller sends each argument of the operation's field. */
  readonly names: Readonly<Record<string, string>>;
  /** What some arguments break of the rules of the operation's field. */
  readonly broken: (args: unknown) => readonly Issue[];
}

/** Works a route out. Errors: a document that the graph does not know. */
export function endpointOf(route: Route, schema: GraphQLSchema): Endpoint {
  const [mistake] = validate(schema, route.document);
  if (mistake) throw new Error(`${route.method} ${route.path}: ${mistake.message}`);
  const names: Record<string, string> = {};
  for (const { name, value } of route.fields.flatMap(({ arguments: given }) => given ?? [])) {
    if (value.kind === Kind.VARIABLE) names[name.value] = value.name.value;
  }
  const variables = variablesOf(route, schema);
  return {
    ...route,
    ...heededBy(route, variables),
    names,
    broken: rulesOf(route, schema),
    variables,
    times: timestampNames(schema, route.document),
  };
}

function rulesOf({ fields: [field] }: Route, schema: GraphQLSchema): Endpoint['broken'] {
  const definition = schema.getMutationType()?.getFields()[field?.name.value ?? ''];
  return (definition?.extensions.broken as Endpoint['broken'] | undefined) ?? (() => []);
}

/** Values of a wrong type, and what the others break of the command's rules: all of it in one answer. */
export function problemsOf(
  { variables, names, broken }: Endpoint,
  values: Record<string, unknown>,
): Issue[] {
  const wrong = misfits(variables, values);
  if (wrong.length === 0) return [];
  const known = new Set(wrong.map(({ path }) => path.join('.')));
  const args = Object.fromEntries(
    Object.entries(names).map(([argument, variable]) => [argument, values[variable]]),
  );
  const rules = broken(args).map(({ path: [head = '', ...rest], message }) => ({
    path: [names[head] ?? head, ...rest],
    message,
  }));
  return [...wrong, ...rules.filter(({ path }) => !known.has(path.join('.')))];
}

/** The route's document as a function: it is known, so it is not interpreted every time. */
export function compile(
  { method, path, document, operation }: Route,
  schema: GraphQLSchema,
): CompiledQuery {
  const query = compileQuery(schema, document, operation.name?.value);
  if (isCompiledQuery(query)) return query;
  throw new Error(`${method} ${path}: ${query.errors?.[0]?.message}`);
}
