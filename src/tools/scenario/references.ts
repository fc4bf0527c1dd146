import type { Scenario, Values } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** Paths below a result, such as `subscription.id`; the empty path is the result itself, by its id. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string>>;

const reference = /^\$([A-Za-z][A-Za-z0-9]*)((?:\.[A-Za-z][A-Za-z0-9]*)*)$/;

/** The paths that the steps of a scenario read of each named result. */
export function wantedOf({ steps }: Scenario): Wanted {
  const wanted = new Map<string, Set<string>>();
  const visit = (value: unknown) => {
    const [, name, path] = (typeof value === 'string' && reference.exec(value)) || [];
    if (name !== undefined && path !== undefined) {
      const paths = wanted.get(name) ?? new Set();
      wanted.set(name, paths.add(path.slice(1)));
    } else if (typeof value === 'object' && value) Object.values(value).forEach(visit);
  };
  steps.forEach(visit);
  return wanted;
}

/** Named results: the values of the paths that are wanted of them. */
export type Results = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** A value with the results in place of their names. Errors: ScenarioError for a name that no earlier step has. */
export function resolved<T>(value: T, results: Results, line: number): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const [, name, path] = reference.exec(part) ?? [];
      return name === undefined ? part : read(name, (path ?? '').slice(1));
    }
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || !part) return part;
    return Object.fromEntries(
      Object.entries(part as Values).map(([key, inner]) => [key, visit(inner)]),
    );
  };
  const read = (name: string, path: string) => {
    const result = results.get(name);
    if (result?.has(path)) return result.get(path);
    const names = [...results.keys()].map((known) => `$${known}`).join(', ') || 'none';
    throw new ScenarioError(
      `No step before this one has the name $${name}; there are ${names}`,
      line,
    );
  };
  return visit(value) as T;
}
