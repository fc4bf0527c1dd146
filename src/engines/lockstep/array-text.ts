/**
 * An array as PostgreSQL reads it. The driver escapes each element by itself, which takes several times as long for the
 * hundreds of ids of a bulk call. Undefined for an array with elements that only the driver can write.
 */
export function arrayText(values: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  let date: Date | undefined;
  for (const value of values) {
    // Many events of one call share the instant of the call.
    const isSameDate = value instanceof Date && value.getTime() === date?.getTime();
    const text = isSameDate ? texts.at(-1) : textOf(value);
    if (text === undefined) return undefined;
    if (value instanceof Date) date = value;
    texts.push(text);
  }
  return `{${texts.join(',')}}`;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  if (value === null || value === undefined) return 'NULL';
  return value instanceof Date ? `"${value.toISOString()}"` : undefined;
}

const quoted = (text: string) =>
  text.includes('"') || text.includes('\\')
    ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : `"${text}"`;
