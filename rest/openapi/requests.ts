import {
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Filter, mostValues } from '../engine/filters.ts';
import type { Route } from '../engine/route.ts';
import { fieldsOf, variablesOf } from '../engine/variables.ts';
import { expectedCatalog, expectedVersion } from '../engine/versioned.ts';
import { inputSchema, propertyRange, valueSchema } from './inputs.ts';
import { type Components, described, type JsonSchema, withChoices } from './schemas.ts';

/** The graph's description of the argument, or the input field, that a variable is passed to. */
interface Purpose {
  readonly description: string | null | undefined;
  readonly range: JsonSchema;
}

/** A parameter of a path or a query. */
interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | null | undefined;
  readonly parameter: () => JsonSchema;
  /** Whether the parameter is `name[key]=value`. */
  readonly isEntries?: boolean;
}

/** A route's parameters and body: its operation's variables, by where `readVariables` finds them. */
export function requestOf(route: Route, schema: GraphQLSchema, components: Components) {
  const purposes = purposesOf(route, schema);
  const variables = variablesOf(route, schema).map((variable) => {
    const { description, range = {} } = purposes.get(variable.name) ?? {};
    return {
      ...variable,
      required: isNonNullType(variable.type),
      description,
      parameter: () => valueSchema(variable.type, range, components),
      property: () =>
        described(inputSchema(variable.type, range, components, route.strict), description),
    };
  });
  const ofFilter = ({ name, type, description, isChoice, isEntries }: Filter): Parameter => {
    if (isEntries) {
      return { name, required: false, description, parameter: () => entries, isEntries };
    }
    const value = () => valueSchema(type, {}, components);
    const several = () => ({ type: 'array', items: value(), minItems: 1, maxItems: mostValues });
    return { name, required: false, description, parameter: isChoice ? several : value };
  };
  const inPath = new Set(Array.from(route.path.matchAll(/:(\w+)/g), ([, name]) => name));
  const fields = fieldsOf(route, variables);
  const takes = (expectation: string) => variables.some(({ name }) => name === expectation);
  const header = ifMatchOf(takes(expectedVersion), takes(expectedCatalog));

  const parameters = variables
    .filter(({ name }) => inPath.has(name) || route.method === 'GET')
    .flatMap((variable): readonly Parameter[] => variable.filters?.map(ofFilter) ?? [variable])
    .map(({ name, required, description, parameter, isEntries }) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required,
      ...(description && { description }),
      ...(isEntries && { style: 'deepObject', explode: true, example: { plan: 'pro' } }),
      schema: parameter(),
    }))
    // The header is a parameter without a style or an example.
    .concat((header ?? []) as never[]);
  if (fields.length === 0) return { parameters };

  const names = fields.filter(({ required }) => required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, property }) => [name, property()]));
  const body =
    properties.input ??
    withChoices(
      { type: 'object', properties, required: names },
      choicesOf(route, schema, properties),
    );
  const content = { 'application/json': { schema: body } };
  return { parameters, requestBody: { required: true, content } };
}

/** The choices between arguments of the operation's field, in the words of the body. */
function choicesOf({ fields: [field] }: Route, schema: GraphQLSchema, properties: object) {
  const known = schema.getMutationType()?.getFields()[field?.name.value ?? '']?.extensions.ranges;
  const given = new Map(
    field?.arguments?.flatMap(({ name, value }) =>
      value.kind === Kind.VARIABLE ? [[name.value, value.name.value] as const] : [],
    ),
  );
  return ((known as JsonSchema | undefined)?.choices ?? [])
    .map((names) => names.flatMap((name) => given.get(name) ?? []))
    .filter((names) => names.length > 1 && names.every((name) => Object.hasOwn(properties, name)));
}

/** The values that a query can express; `style: deepObject` makes one parameter of each. */
const entries: JsonSchema = {
  type: 'object',
  additionalProperties: { anyOf: ['string', 'number', 'boolean'].map((type) => ({ type })) },
  minProperties: 1,
  maxProperties: mostValues,
};

const version =
  'The ETag of the object on which the change is based. If the object has changed since, nothing changes, and the answer is 400 with the code STALE.';
const state =
  'The `state` of the plan on which a catalog document is based, in quotes. If the catalog has changed since, nothing changes, and the answer is 400 with the code STALE.';

/** The header `If-Match` of an operation that compares a version, the state of a catalog, or either. */
function ifMatchOf(takesVersion: boolean, takesState: boolean) {
  if (!takesVersion && !takesState) return undefined;
  const description = [...(takesVersion ? [version] : []), ...(takesState ? [state] : [])];
  const examples = [
    ...(takesVersion ? ['"3"'] : []),
    ...(takesState ? ['"0d1f5b7c9a3e4f60718293a4b5c6d7e8"'] : []),
  ];
  return {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: description.join(' Or: '),
    schema: { type: 'string', examples },
  };
}

function purposesOf({ document }: Route, schema: GraphQLSchema): ReadonlyMap<string, Purpose> {
  const purposes = new Map<string, Purpose>();
  const types = new TypeInfo(schema);
  const path: string[] = [];
  const step = {
    enter: ({ name }: { name: { value: string } }) => {
      path.push(name.value);
    },
    leave: () => {
      path.pop();
    },
  };
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: step,
      ObjectField: step,
      VariableDefinition: () => false,
      Variable({ name }) {
        const range = (types.getFieldDef()?.extensions.ranges ?? {}) as JsonSchema;
        purposes.set(name.value, {
          description: descriptionOf(types, path),
          range: path.reduce(propertyRange, range),
        });
      },
    }),
  );
  return purposes;
}

function descriptionOf(types: TypeInfo, path: readonly string[]) {
  const [field = ''] = path.slice(1).slice(-1);
  const holder = getNamedType(types.getParentInputType());
  return field && isInputObjectType(holder)
    ? holder.getFields()[field]?.description
    : types.getArgument()?.description;
}
