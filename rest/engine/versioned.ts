import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
} from 'graphql';

/** The argument of updates, and the variable that the header `If-Match` fills. */
export const expectedVersion = 'expectedVersion';

/** The same for the state of a catalog for which a document was planned. */
export const expectedCatalog = 'expectedCatalog';

/** Whether the header `If-Match` fills a variable. */
export const isExpectation = (name: string) => name === expectedVersion || name === expectedCatalog;

/** A document whose answer has the version of the object at a path, such as `body.invoice`. */
export function withVersion(document: DocumentNode, path: string, expects: boolean): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? inOperation(definition, path.split('.'), expects)
      : definition,
  );
  return { ...document, definitions };
}

/** The path of that version in the answer, in which `body` is the answer itself. */
export const versionPath = (path: string) => `${path}.version`.replace(/^body\./, '');

function inOperation(operation: OperationDefinitionNode, path: string[], expects: boolean) {
  const { selectionSet, variableDefinitions = [] } = operation;
  const selections = inSelections(selectionSet.selections, path);
  if (!expects) return { ...operation, selectionSet: { ...selectionSet, selections } };
  return {
    ...operation,
    variableDefinitions: [...variableDefinitions, ...parts.variableDefinitions],
    selectionSet: { ...selectionSet, selections: selections.map(withArgument) },
  };
}

/** Adds the field to the selection that the path leads to. Errors: for a path that leads nowhere. */
function inSelections(
  selections: readonly SelectionNode[],
  [key, ...inner]: readonly string[],
): SelectionNode[] {
  if (key === undefined) return [parts.version, ...selections];
  if (!selections.some((node) => isAt(node, key))) throw new Error(`The document has no ${key}`);
  return selections.map((node) =>
    isAt(node, key) && node.selectionSet
      ? {
          ...node,
          selectionSet: {
            ...node.selectionSet,
            selections: inSelections(node.selectionSet.selections, inner),
          },
        }
      : node,
  );
}

const isAt = (node: SelectionNode, key: string): node is FieldNode =>
  node.kind === Kind.FIELD && (node.alias ?? node.name).value === key;

const withArgument = (node: SelectionNode): SelectionNode =>
  node.kind === Kind.FIELD
    ? { ...node, arguments: [...(node.arguments ?? []), ...parts.arguments] }
    : node;

const parts = partsOf(
  `query ($${expectedVersion}: Int) { field(${expectedVersion}: $${expectedVersion}) { version } }`,
);

function partsOf(source: string) {
  const [operation] = parse(source, { noLocation: true }).definitions;
  const { variableDefinitions = [], selectionSet } = operation as OperationDefinitionNode;
  const [field] = selectionSet.selections as readonly FieldNode[];
  return {
    variableDefinitions,
    arguments: (field?.arguments ?? []) as readonly ArgumentNode[],
    version: field?.selectionSet?.selections[0] as FieldNode,
  };
}

/** The state of a catalog that `If-Match` names; undefined for anything else. */
export const stateIn = (ifMatch: string | null | undefined): string | undefined =>
  /^(?:W\/)?"([0-9a-f]{32})"$/.exec(ifMatch?.trim() ?? '')?.[1];

/**
 * The version that `If-Match` names; undefined without the header, and for `*` and the state of a catalog. Another text is returned as it is: no
 * answer has had such an ETag.
 */
export function versionIn(ifMatch: string | null | undefined): number | string | undefined {
  const text = ifMatch?.trim();
  if (!text || text === '*' || stateIn(text)) return undefined;
  // Proxies that compress answers make their ETags weak.
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(text) ?? [];
  return version === undefined ? text : Number(version);
}
