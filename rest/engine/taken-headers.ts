import type { Endpoint } from './endpoint.ts';

/** The headers that take the place of keys of the answer, which JSON leaves out then. */
export function takenHeaders({ taken = [] }: Endpoint, body: Record<string, unknown>) {
  const given: Record<string, string> = {};
  for (const { header, outer, key, isTag } of taken) {
    let holder: Record<string, unknown> | null = body;
    for (const name of outer) holder = (holder?.[name] ?? null) as Record<string, unknown> | null;
    // An object that is absent has no version.
    if (!holder) continue;
    const value = holder[key];
    if (value != null) given[header] = isTag ? `"${value}"` : String(value);
    holder[key] = undefined;
  }
  return given;
}
