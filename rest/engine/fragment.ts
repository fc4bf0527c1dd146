import { type DocumentNode, Kind, parse, print, visit } from 'graphql';

/** A named selection of a type's fields, with the fragments that it spreads. In a template it is its source. */
export interface Fragment {
  readonly name: string;
  /** The type whose fields it selects. */
  readonly type: string;
  /** Its own source and that of every fragment it spreads, each once. */
  toString(): string;
}

/**
 * Declares a fragment and what it spreads, so that every document that has it is complete. Errors: at the start, for
 * another source, and for uses that differ from what the source spreads.
 */
export function fragment(source: string, uses: readonly Fragment[] = []): Fragment {
  const document = parse(source, { noLocation: true });
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.FRAGMENT_DEFINITION) {
    throw new Error(`The source defines no fragment: ${source}`);
  }
  const name = definition.name.value;
  const spread = spreadsOf(document);
  const used = new Set(uses.map(({ name }) => name));
  const [missing] = spread.difference(used);
  if (missing) throw new Error(`Fragment ${name} spreads ${missing} and does not declare it`);
  const [unused] = used.difference(spread);
  if (unused) throw new Error(`Fragment ${name} declares ${unused} and does not spread it`);
  const sources = new Set([source, ...uses.map(String)]);
  const type = definition.typeCondition.name.value;
  return { name, type, toString: () => [...sources].join('\n') };
}

/**
 * The document of an operation with each of its fragments once. Errors: for a fragment that is missing, and for one
 * that the operation does not reach.
 */
export function documentOf(source: string): DocumentNode {
  const { definitions, ...document } = parse(source, { noLocation: true });
  const fragments = new Map<string, (typeof definitions)[number]>();
  const others = definitions.filter((definition) => {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return true;
    const name = definition.name.value;
    const known = fragments.get(name) ?? definition;
    if (print(known) !== print(definition)) throw new Error(`There are two fragments ${name}`);
    fragments.set(name, known);
    return false;
  });
  const reached = reachedFrom(others, fragments);
  const [unused] = [...fragments.keys()].filter((name) => !reached.has(name));
  if (unused) throw new Error(`Fragment ${unused} is not used`);
  return { ...document, definitions: [...others, ...fragments.values()] };
}

type Definition = DocumentNode['definitions'][number];

/** The names of the fragments that definitions spread, also by other fragments. Errors: for one that is missing. */
function reachedFrom(definitions: readonly Definition[], known: ReadonlyMap<string, Definition>) {
  const reached = new Set<string>();
  const reach = (names: Iterable<string>) => {
    for (const name of names) {
      const found = known.get(name);
      if (!found) throw new Error(`Fragment ${name} is missing`);
      if (reached.has(name)) continue;
      reached.add(name);
      reach(spreadsOf(found));
    }
  };
  for (const definition of definitions) reach(spreadsOf(definition));
  return reached;
}

/** A document without the fragments that its operations do not reach. */
export function withoutUnused({ definitions, ...document }: DocumentNode): DocumentNode {
  const nameOf = (one: Definition) =>
    one.kind === Kind.FRAGMENT_DEFINITION ? one.name.value : undefined;
  const known = new Map(definitions.map((one) => [nameOf(one) ?? '', one]));
  const operations = definitions.filter((one) => nameOf(one) === undefined);
  const reached = reachedFrom(operations, known);
  return {
    ...document,
    definitions: definitions.filter(
      (one) => reached.has(nameOf(one) ?? '') || operations.includes(one),
    ),
  };
}

/** The names of the fragments that a part of a document spreads itself. */
function spreadsOf(node: DocumentNode | DocumentNode['definitions'][number]): Set<string> {
  const names = new Set<string>();
  visit(node, { FragmentSpread: ({ name }) => void names.add(name.value) });
  return names;
}
