/** A customer as the page selects it. */
interface Row {
  readonly id: string;
  readonly name: string;
}

/** The cached list of the page. */
export interface Cached {
  readonly customers: {
    readonly totalCount: number;
    readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  };
}

/** One message of the live list. */
export interface Change {
  readonly kind: 'snapshot' | 'entered' | 'changed' | 'left';
  readonly ids: readonly string[];
  readonly nodes: readonly Row[];
}

/** The cached list after a message. The clients update the fields of known customers themselves. */
export function applied<T extends Cached>(cached: T, { kind, ids, nodes }: Change): T {
  const { edges } = cached.customers;
  const [before] = edges;
  const kept = kind === 'snapshot' ? [] : edges.filter(({ node }) => !ids.includes(node.id));
  const entered = nodes.map((node) => ({ ...before, cursor: node.id, node }));
  const next = kind === 'changed' ? edges : [...kept, ...entered];
  return { ...cached, customers: { ...cached.customers, totalCount: next.length, edges: next } };
}
