/** Parameters as Stripe reads them: nested by brackets, all values texts. */
export interface Parameters {
  [name: string]: string | Parameters | (string | Parameters)[];
}

/** Reads a form or a query such as `a[b]=1&c[0]=2`. */
export function readForm(text: string): Parameters {
  const root: Parameters = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.replaceAll(']', '').split('[');
    put(root, [first, ...rest], value);
  }
  return listed(root) as Parameters;
}

function put(target: Parameters, [key = '', ...rest]: string[], value: string) {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  target[key] ??= {};
  put(target[key] as Parameters, rest, value);
}

/** Objects whose keys are 0, 1, 2 … are lists. */
function listed(value: Parameters[string]): Parameters[string] {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const isList = keys.length > 0 && keys.every((key, place) => key === String(place) || key === '');
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  return isList
    ? entries.map(([, inner]) => inner as string | Parameters)
    : Object.fromEntries(entries);
}

export const text = (value: Parameters[string] | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const number = (value: Parameters[string] | undefined): number | null =>
  typeof value === 'string' ? Number(value) : null;

export const record = (value: Parameters[string] | undefined): Record<string, string> =>
  typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, string>) : {};
