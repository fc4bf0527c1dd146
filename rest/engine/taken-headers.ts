import type { Endpoint } from './endpoint.ts';

/** The headers that take the place of keys of the answer, which JSON leaves out then. */
export function takenHeaders({ taken = [] }: Endpoint, body: Record<string, unknown>) {
  const given: Record<string, string> = {};
  for (const { header, outer, key, isTag } of taken) {
    let holder = body;
    for (const name of outer) holder = holder[name] as Record<string, unknown>;
    const value = holder[key];
    if (value != null) given[header] = isTag ? `"${value}"` : String(value);
    holder[key] = undefined;
  }
  return given;
}
