import {
  type DocumentNode,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  validate,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { type Issue, mostIssues, refuse } from './errors.ts';
import { parametersByPath } from './filters.ts';
import { timestampNames } from './legacy.ts';
import type { Route } from './route.ts';
import { type Heeded, heededBy } from './unheeded.ts';
import { fieldsOf, type Ranges, type Reading, variablesOf } from './variables.ts';
import { hasVariants } from './variants.ts';
import { isExpectation } from './versioned.ts';

/** A header that takes the place of a key of the answer, which the objects `outer` contain. */
interface Taken {
  readonly header: string;
  readonly outer: readonly string[];
  readonly key: string;
  readonly isTag: boolean;
}

const takenOf = ({ headers = {} }: Route): Taken[] =>
  Object.entries(headers).map(([header, path]) => {
    const outer = path.split('.');
    const key = outer.pop() ?? '';
    return { header: header.toLowerCase(), outer, key, isTag: header === 'ETag' };
  });

/** A route with what is worked out once, when it is first asked for. */
export interface Endpoint extends Route, Heeded {
  readonly taken: readonly Taken[];
  readonly variables: ReturnType<typeof variablesOf>;
  readonly times: ReadonlySet<string>;
  /** Whether some of its records have keys that depend on their type, or texts in place of null. */
  readonly hasVariants: boolean;
  /** Under which name the caller sends each argument of the operation's field. */
  readonly names: Readonly<Record<string, string>>;
  /** The rules of the operation's field that the arguments violate. */
  readonly broken: (args: unknown) => Promise<readonly Issue[]>;
  /** The status of its answers. */
  readonly status: 200 | 202;
  /** The fields of its body where none is required. A missing body must not have the meaning of an empty object. */
  readonly choices: readonly string[];
}

/** The preference for an answer before the work is done. */
export const respondAsync = 'respond-async';

/** Works a route out. Errors: a document that the graph does not know. */
export function endpointOf(
  route: Route,
  schema: GraphQLSchema,
  status: Endpoint['status'] = 200,
): Endpoint {
  const [mistake] = validate(schema, route.document);
  if (mistake) throw new Error(`${route.method} ${route.path}: ${mistake.message}`);
  const names: Record<string, string> = {};
  for (const { name, value } of route.fields.flatMap(({ arguments: given }) => given ?? [])) {
    if (value.kind !== Kind.VARIABLE) continue;
    names[name.value] = isExpectation(name.value) ? 'If-Match' : value.name.value;
  }
  const { broken, ranges } = rulesOf(route, schema);
  const rangesOf = (variable: string) =>
    ranges?.properties?.[
      Object.entries(names).find(([, name]) => name === variable)?.[0] ?? variable
    ];
  const variables = variablesOf(route, schema, rangesOf);
  const fields = fieldsOf(route, variables);
  const filters = variables.flatMap(({ filters = [] }) => filters);
  Object.assign(names, parametersByPath(filters));
  return {
    ...route,
    ...heededBy(route, variables),
    taken: takenOf(route),
    names,
    broken,
    status,
    choices: fields.some(({ type }) => isNonNullType(type)) ? [] : fields.map(({ name }) => name),
    variables,
    times: timestampNames(schema, route.document),
    hasVariants: hasVariants(namesIn(route.document)),
  };
}

function namesIn(document: DocumentNode): string[] {
  const names: string[] = [];
  visit(document, { Field: ({ alias, name }) => void names.push((alias ?? name).value) });
  return names;
}

interface Rules {
  readonly broken: Endpoint['broken'];
  readonly ranges: Ranges | undefined;
}

function rulesOf({ fields: [field] }: Route, schema: GraphQLSchema): Rules {
  const definition = schema.getMutationType()?.getFields()[field?.name.value ?? ''];
  const { broken = async () => [], ranges } = definition?.extensions ?? {};
  return { broken: broken as Rules['broken'], ranges: ranges as Ranges | undefined };
}

/** Values of a wrong type, and what the others break of the command's rules: all of it in one answer. */
export async function invalidInput(
  { names, broken }: Endpoint,
  { values, findings }: Reading,
): Promise<Error> {
  const wrong = findings.issues;
  const known = new Set(wrong.map(({ path }) => path.join('.')));
  const args = Object.fromEntries(
    Object.entries(names).map(([argument, variable]) => [argument, values[variable]]),
  );
  const rules = wrong.length > mostIssues ? [] : await broken(args);
  const others = rules
    .map(({ path: [head = '', ...rest], ...issue }) => ({
      ...issue,
      path: [names[head] ?? head, ...rest],
    }))
    .filter(({ path }) => !known.has(path.join('.')));
  return refuse('BAD_REQUEST', 'Invalid input data', [...wrong, ...others]);
}

/**
 * The route's document as a function: it is known, so it is not interpreted every time. Its variables have been read
 * as their types have them, so they pass as they are.
 */
export function compile(
  { method, path, document, operation }: Route,
  schema: GraphQLSchema,
): CompiledQuery {
  const query = compileQuery(schema, withReadVariables(document), operation.name?.value);
  if (isCompiledQuery(query)) return query;
  throw new Error(`${method} ${path}: ${query.errors?.[0]?.message}`);
}

/** The scalar that takes any value as it is. */
const anyValue = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const;

const withReadVariables = (document: DocumentNode): DocumentNode =>
  visit(document, { VariableDefinition: (definition) => ({ ...definition, type: anyValue }) });
