type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The sizes of the knots of a graph, largest first: nodes of a knot reach each other. */
export function knotsOf(graph: Graph): number[] {
  const left = new Set(graph.keys());
  const back = reversed(graph);
  const sizes: number[] = [];
  for (const node of graph.keys()) {
    if (!left.has(node)) continue;
    const before = reachable(back, node);
    const knot = [...reachable(graph, node)].filter((other) => before.has(other));
    for (const member of knot) left.delete(member);
    if (knot.length > 1) sizes.push(knot.length);
  }
  return sizes.toSorted((one, other) => other - one);
}

function reachable(graph: Graph, start: string): Set<string> {
  const seen = new Set([start]);
  for (const node of seen) for (const next of graph.get(node) ?? []) seen.add(next);
  return seen;
}

function reversed(graph: Graph): Graph {
  const back = new Map<string, Set<string>>();
  for (const [from, all] of graph) {
    for (const to of all) back.set(to, (back.get(to) ?? new Set()).add(from));
  }
  return back;
}
