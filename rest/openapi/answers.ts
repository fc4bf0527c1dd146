import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { includeAll, isExtra } from '../engine/extras.ts';
import type { Route } from '../engine/route.ts';
import { isText, keysOfVariants } from '../engine/variants.ts';
import {
  anyOf,
  type Components,
  described,
  exactly,
  type JsonSchema,
  leafSchema,
  orNull,
  shared,
} from './schemas.ts';

type Selections = readonly SelectionNode[];
type Fields = Map<string, FieldNode[]>;

/** The schema of a route's current rendering: the selection of its document, under the aliases. */
export function answerSchema(
  route: Route,
  schema: GraphQLSchema,
  components: Components,
): JsonSchema {
  const { omitNull = [], headers = {}, nextTo = {} } = route;
  const document = route.whole?.marked ?? route.document;
  const operation = getOperationAST(document) ?? route.operation;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const root = schema.getRootType(operation.operation) as GraphQLObjectType;
  const inHeaders = new Set(Object.values(headers).map((path) => path.split('.').at(-1)));
  const top = topOf(root, operation.selectionSet.selections);
  if (top.type === root) return exactly(propertiesOf(root, top.selections, omitNull), omitNull);
  return inEnvelope(valueSchema(top.type, top.selections, omitNull));

  /** The object that is the answer. The alias `body` leads to it, also within a payload. */
  function topOf(
    type: GraphQLOutputType,
    selections: Selections,
  ): { readonly type: GraphQLOutputType; readonly selections: Selections } {
    const object = getNullableType(type);
    const body = isObjectType(object) && fieldsOf(object, selections).get('body');
    return body ? topOf(fieldOf(object, body).type, innerOf(body)) : { type: object, selections };
  }

  function outputSchema(
    type: GraphQLOutputType,
    selections: Selections,
    omitted: readonly string[] = [],
  ) {
    const value = valueSchema(type, selections, omitted);
    return isNonNullType(type) ? value : orNull(value);
  }

  function valueSchema(
    type: GraphQLOutputType,
    selections: Selections,
    omitted: readonly string[] = [],
  ): JsonSchema {
    if (isNonNullType(type)) return valueSchema(type.ofType, selections, omitted);
    if (isListType(type)) return { type: 'array', items: outputSchema(type.ofType, selections) };
    if (isLeafType(type)) return leafSchema(type, components);
    return objectSchema(type, selections, omitted);
  }

  /** An object goes by the name of the fragment that is all that is selected of it. */
  function objectSchema(
    type: GraphQLCompositeType,
    all: Selections,
    omitted: readonly string[] = [],
  ) {
    const selections = all.filter(
      (node) => node.kind !== Kind.FIELD || !inHeaders.has(node.name.value),
    );
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    const whole = anyOf(
      types.map((one) => {
        const properties = propertiesOf(one, selections, omitted);
        const variants = keysOfVariants(Object.keys(properties));
        return exactly(properties, [...omitted, ...variants, ...optionalOf(one, selections)]);
      }),
    );
    const [only, another] = selections;
    if (only?.kind !== Kind.FRAGMENT_SPREAD || another || omitted.length > 0) return whole;
    return shared(components, only.name.value, described(whole, type.description));
  }

  /** The keys that an answer has by a preference, or for some credentials only. */
  function optionalOf(type: GraphQLObjectType, selections: Selections) {
    const fields = [...fieldsOf(type, selections)];
    return fields.flatMap(([name, nodes]) =>
      nodes.every(isExtra) || isHidden(type, nodes) ? [name] : [],
    );
  }

  function isHidden(type: GraphQLObjectType, nodes: readonly FieldNode[]) {
    return fieldOf(type, nodes).extensions.hiddenFromTokens === true;
  }

  /** Properties that are omitted while they are null are never null. */
  function propertiesOf(
    type: GraphQLObjectType,
    selections: Selections,
    omitted: readonly string[] = [],
  ) {
    const properties: Record<string, JsonSchema> = {};
    const fields = fieldsOf(type, selections);
    for (const [name, nodes] of fields) {
      const { type: fieldType, description: text } = fieldOf(type, nodes);
      const hidden = isHidden(type, nodes) ? [withoutToken] : [];
      const description = [text, ...(nodes.every(isExtra) ? [withPreference] : []), ...hidden].join(
        ' ',
      );
      const isOmitted = omitted.includes(name);
      const neverNull = isOmitted || isText(name, [...fields.keys()]);
      // A failure has a body of its own, so an operation's own field is never null in an answer.
      const inner = innerOf(nodes);
      const moved = type === top.type ? (nextTo[name] ?? []) : [];
      if (moved.length > 0) {
        const rest = inner.filter((node) => isNamed(node, moved));
        properties[name] = valueSchema(
          fieldType,
          inner.filter((node) => !isNamed(node, moved)),
        );
        Object.assign(properties, propertiesOf(getNamedType(fieldType) as GraphQLObjectType, rest));
      } else if (type === root) properties[name] = valueSchema(fieldType, inner);
      else {
        properties[name] = described(
          neverNull ? valueSchema(fieldType, inner) : outputSchema(fieldType, inner),
          isOmitted ? `${description} Left out when null.` : description,
        );
      }
    }
    return properties;
  }

  function fieldOf(type: GraphQLObjectType, [node]: readonly FieldNode[]) {
    const field = type.getFields()[node?.name.value ?? ''];
    if (!field) throw new Error(`${type.name} has no field ${node?.name.value}`);
    return field;
  }

  /** The fields that a selection has on an object, by the name that they are answered under. */
  function fieldsOf(type: GraphQLObjectType, selections: Selections, fields: Fields = new Map()) {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        fields.set(name, [...(fields.get(name) ?? []), node]);
        continue;
      }
      const part = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      if (part && isAbout(type, part.typeCondition?.name.value ?? type.name)) {
        fieldsOf(type, part.selectionSet.selections, fields);
      }
    }
    return fields;
  }

  function isAbout(type: GraphQLObjectType, condition: string) {
    const wider = schema.getType(condition);
    return wider === type || (isAbstractType(wider) && schema.isSubType(wider, type));
  }
}

/** The envelope of a list in place of what its document selects; any other schema as it is. */
function inEnvelope(answer: JsonSchema): JsonSchema {
  const { data, total, pageInfo } = answer.properties ?? {};
  if (!data || !pageInfo) return answer;
  const properties = { data, hasMore, ...(total && { total }), currentCursor, nextCursor };
  return exactly(properties, ['currentCursor', 'nextCursor']);
}

const hasMore: JsonSchema = {
  type: 'boolean',
  description: 'Whether records follow in the direction of reading.',
};
const currentCursor: JsonSchema = {
  type: 'string',
  description: 'The cursor that the request passed; null on the first page. Left out when null.',
};
const nextCursor: JsonSchema = {
  type: 'string',
  description: 'The cursor of the next page; null on the last page. Left out when null.',
};
const withoutToken = 'Left out for customer tokens.';
const withPreference = `Present with \`Prefer: ${includeAll}\` only.`;

const records = (of: string): JsonSchema => ({
  type: 'array',
  items: { type: 'object' },
  description: `${of}, as the change feed shows them.`,
});

const dryRunEvent = exactly({
  type: { type: 'string', description: 'The type of the event that the request would emit.' },
  objectType: { type: 'string', description: 'The type of the object that the event concerns.' },
  objectId: { type: 'string', description: 'The id of the object.' },
  data: { type: 'object', description: 'The object after the change.' },
});

const catalogChanges = (which: string): JsonSchema => ({
  type: 'array',
  items: exactly({
    type: { type: 'string', description: 'The type of the object, such as `price`.' },
    objectId: {
      type: ['string', 'null'],
      description: 'The id; null for an object that is created.',
    },
    slug: { type: ['string', 'null'], description: 'The slug; null without one.' },
    owner: { type: ['string', 'null'], description: 'The slug of its product or usage meter.' },
    reason: { type: 'string', description: 'The reason of the change, in words.' },
    fields: {
      type: 'array',
      items: exactly({
        name: { type: 'string', description: 'The name of the field.' },
        from: { description: 'The present value.' },
        to: { description: 'The value of the document.' },
      }),
      description: 'The fields that change in place.',
    },
  }),
  description: `The objects that the document ${which}.`,
});

const catalogPlan: JsonSchema = {
  ...exactly({
    state: {
      type: 'string',
      description: 'The state of the catalog before the changes, for `If-Match`.',
    },
    created: catalogChanges('adds'),
    changed: catalogChanges('changes in place'),
    retired: catalogChanges('retires; subscriptions keep them'),
  }),
  description: 'The changes that a catalog document would make. Present for such a document only.',
};

/** The addition of a dry run to an answer: all changes that the request would make. */
export const effectsSchema: JsonSchema = {
  ...exactly(
    {
      invoices: records('The invoices'),
      lineItems: records('The invoice line items'),
      charges: records('The payments that the request would make or attempt'),
      entitlements: records('The features that the request would grant, change or end'),
      events: {
        type: 'array',
        items: dryRunEvent,
        description: 'The events in their order, one for each object.',
      },
      catalog: catalogPlan,
    },
    ['catalog'],
  ),
  description:
    'All changes that the request would make. Present with `Prefer: dry-run` only, which changes nothing.',
};

const isNamed = (node: SelectionNode, names: readonly string[]) =>
  node.kind === Kind.FIELD && names.includes((node.alias ?? node.name).value);

const innerOf = (nodes: readonly FieldNode[]): Selections =>
  nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
