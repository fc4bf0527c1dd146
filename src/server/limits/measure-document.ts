import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { DomainError } from '#domain/kernel/errors.ts';
import { defaultPageSize, maximalPageSize } from '#domain/kernel/lists/slice.ts';
import { introspectionFactorOf, isIntrospection } from './introspection.ts';

/** The largest number of fields of a document with its fragments expanded, and of pairs of the same name. */
const mostFields = 5_000;
const mostPairs = 20_000;
const mostAliases = 30;
const mostNesting = 64;
/** The assumed size of a page whose variable is no number. */
const mostRows = 1_000;
/** The assumed length of a list without pages. */
const unpagedList = 20;
/** The introspection of development tools takes about half of this. */
const mostIntrospection = 400_000;

/** The size of an operation. */
export interface Measure {
  readonly depth: number;
  /** The largest number of objects that it reads. */
  readonly cost: number;
}

interface Selected {
  readonly node: FieldNode;
  readonly parent: GraphQLCompositeType | undefined;
}

interface Level {
  /** The number of ancestor fields of any kind. */
  readonly nesting: number;
  readonly depth: number;
  /** The number of objects with these fields. */
  readonly times: number;
  /** The rows of a page, for the fields of a connection. */
  readonly page: number;
  /** The ancestor lists without pages. */
  readonly lists: readonly string[];
}

/** The measures that no variable decides. An operation that is requested again is the same node. */
const steady = new WeakMap<OperationDefinitionNode, Measure>();

/**
 * Measures an operation before it is validated, in time that is bounded for every document. Fields
 * of the same name are merged as execution merges them; unknown fields count as leaves. Errors:
 * BAD_REQUEST for a document of too many fields, and for a list without pages within itself.
 */
export function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Measure {
  const known = steady.get(operation);
  if (known) return known;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  let fields = 0;
  let pairs = 0;
  let aliases = 0;
  let depth = 0;
  let cost = 0;
  let introspection = 0;
  let isSteady = true;
  const root = schema.getRootType(operation.operation) ?? undefined;
  measure([[operation.selectionSet, root]], { nesting: 0, depth: 1, times: 1, page: 1, lists: [] });
  const found = { depth, cost };
  if (isSteady) steady.set(operation, found);
  return found;

  function measure(
    sets: readonly (readonly [SelectionSetNode, GraphQLCompositeType | undefined])[],
    level: Level,
  ) {
    const groups = new Map<string, Selected[]>();
    const seen = new Set<string>();
    for (const [set, parent] of sets) collect(set, parent, groups, seen);
    for (const [name, group] of groups) {
      pairs += (group.length * (group.length - 1)) / 2;
      if (pairs > mostPairs) throw refused(`more than ${mostPairs} pairs of fields named the same`);
      measureField(name, group, level);
    }
  }

  function collect(
    { selections }: SelectionSetNode,
    parent: GraphQLCompositeType | undefined,
    groups: Map<string, Selected[]>,
    seen: Set<string>,
  ) {
    for (const selection of selections) {
      if (++fields > mostFields) {
        throw refused(`more than ${mostFields} fields with its fragments expanded`);
      }
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        if (selection.alias && ++aliases > mostAliases) {
          throw refused(`more than ${mostAliases} aliases`);
        }
        const group = groups.get(name) ?? [];
        group.push({ node: selection, parent });
        groups.set(name, group);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const type = selection.typeCondition?.name.value;
        collect(selection.selectionSet, type ? composite(type) : parent, groups, seen);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) {
          collect(
            fragment.selectionSet,
            composite(fragment.typeCondition.name.value),
            groups,
            seen,
          );
        }
      }
    }
  }

  function measureField(name: string, group: readonly Selected[], level: Level) {
    const [{ node, parent }] = group as [Selected];
    const field = fieldOf(schema, parent, node.name.value);
    const type = field && getNamedType(field.type);
    const sets = group.flatMap(({ node, parent }) => {
      if (!node.selectionSet) return [];
      const type = fieldOf(schema, parent, node.name.value)?.type;
      const named = type && getNamedType(type);
      return [[node.selectionSet, isCompositeType(named) ? named : undefined] as const];
    });
    if (sets.length === 0) return;
    if (level.nesting >= mostNesting) throw refused(`more than ${mostNesting} levels at ${name}`);
    const nesting = level.nesting + 1;
    const isList = field !== undefined && isListType(getNullableType(field.type));
    if (field && isIntrospection(field, type)) {
      const times = level.times * (isList ? introspectionFactorOf(field.name) : 1);
      introspection += times;
      if (introspection > mostIntrospection)
        throw refused('more introspection than development tools need');
      const lists = isList ? within(level.lists, parent, field) : level.lists;
      return measure(sets, { ...level, nesting, times, lists });
    }
    const isPart = parent !== undefined && partOfPage.test(`${parent.name}.${node.name.value}`);
    const own = isPart ? level.depth : level.depth + 1;
    depth = Math.max(depth, own);
    const isPage = field?.args.some(({ name }) => name === 'first' || name === 'last') ?? false;
    const single = !isList || field.extensions.partOfRow;
    const rows = single ? 1 : isPart ? level.page : (idsOf(node) ?? unpagedList);
    const times = level.times * rows;
    cost += times;
    const lists = field && isList && !isPart ? within(level.lists, parent, field) : level.lists;
    const page = isPage ? pageSizeOf(node, field?.extensions.snapshot) : 1;
    measure(sets, { nesting, depth: own, times, page, lists });
  }

  function pageSizeOf(
    node: FieldNode,
    { usual, most } = { usual: defaultPageSize, most: maximalPageSize },
  ): number {
    const sizes = node.arguments?.flatMap(({ name, value }) => {
      if (name.value !== 'first' && name.value !== 'last') return [];
      const given = value.kind === Kind.VARIABLE ? variableOf(value.name.value) : literal(value);
      return given === undefined ? [] : [Math.min(Math.max(given, 0), most)];
    });
    return sizes?.length ? Math.max(...sizes) : usual;
  }

  /** The length of a list that has an object for each of its ids. */
  function idsOf(node: FieldNode): number | undefined {
    const value = node.arguments?.find(({ name }) => name.value === 'ids')?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return undefined;
    isSteady = false;
    const given = variables[value.name.value];
    return Array.isArray(given) ? given.length : undefined;
  }

  function variableOf(name: string): number | undefined {
    isSteady = false;
    const given = variables[name];
    if (given != null) return Number.isFinite(Number(given)) ? Number(given) : mostRows;
    const definition = operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name,
    );
    return definition?.defaultValue && literal(definition.defaultValue);
  }

  function composite(name: string): GraphQLCompositeType | undefined {
    const type = schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

/** The parts of a connection or of a live list, which do not count as objects. */
const partOfPage = /(Connection|ListChange)\.(nodes|edges)$|Edge\.node$/;

const literal = (value: { readonly kind: string; readonly value?: unknown }) =>
  value.kind === Kind.INT ? Number(value.value) : undefined;

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** A list without pages grows with each nesting in itself, so it may occur once on a path. */
function within(
  lists: readonly string[],
  parent: GraphQLCompositeType | undefined,
  { name }: GraphQLField<unknown, unknown>,
): string[] {
  const list = `${parent?.name}.${name}`;
  if (!lists.includes(list)) return [...lists, list];
  throw new DomainError(
    'BAD_REQUEST',
    `The list ${list} has no pages and is nested in itself: read the inner one separately`,
  );
}

const refused = (what: string) =>
  new DomainError('BAD_REQUEST', `The document has ${what}: send several requests`);
