import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';

const mostFields = 20;

interface Executed {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

const known = new WeakMap<DocumentNode, Map<string, string>>();

/** An operation for the log: its kind and its top-level fields, whatever their aliases. */
export function operationOf({ document, operationName }: Executed): string {
  const names = known.get(document) ?? new Map<string, string>();
  known.set(document, names);
  const name = names.get(operationName ?? '') ?? describe(document, operationName);
  names.set(operationName ?? '', name);
  return name;
}

function describe(document: DocumentNode, operationName: string | null | undefined): string {
  const operation = getOperationAST(document, operationName);
  if (!operation) return 'unknown';
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const fields = new Set<string>();
  collect(operation.selectionSet, fragments, fields);
  const shown = [...fields].slice(0, mostFields);
  if (fields.size > mostFields) shown.push('…');
  return [operation.operation, ...shown].join(' ');
}

/** Each fragment is visited once, so the cost is limited by the length of the document. */
function collect(
  { selections }: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  fields: Set<string>,
) {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) fields.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      collect(selection.selectionSet, fragments, fields);
    } else {
      const fragment = fragments.get(selection.name.value);
      fragments.delete(selection.name.value);
      if (fragment) collect(fragment.selectionSet, fragments, fields);
    }
  }
}
