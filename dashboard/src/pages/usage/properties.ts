/** The properties of a usage event, as the graph states them. */
export const entriesOf = (properties: unknown): [string, unknown][] =>
  Object.entries((properties as Record<string, unknown> | null) ?? {});

/** A property in a text: its name and its value. */
export const propertyText = ([name, value]: readonly [string, unknown]) =>
  `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;

/**
 * The properties in a text with one of them on each line, such as `region: eu`. Numbers, true and false are read as
 * such, and all else is text. Undefined where a line has no name or no value.
 */
export function propertiesOf(text: string): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const [, name, value] = /^\s*([^:=]+?)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? [];
    if (!name || !value) return undefined;
    entries.push([name, parsedValue(value)]);
  }
  return Object.fromEntries(entries);
}

function parsedValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^"(.*)"$/.test(text)) return text.slice(1, -1);
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : text;
}
