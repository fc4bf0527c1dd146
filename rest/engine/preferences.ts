/** The preferences that a request names in `Prefer`. */
export type Preferences = ReadonlySet<string>;

const none: Preferences = new Set();

/** The preferences of a request, such as `rendering=current`, in lower case and without spaces and quotes. */
export function preferencesIn(request: Request): Preferences {
  const header = request.headers.get('prefer');
  if (header === null) return none;
  const names = header.split(/[,;]/).map((name) => name.replace(/[\s"]/g, '').toLowerCase());
  return new Set(names);
}
