const timeName = /(At|Date|Time|Start|End|Until|Since)$|^(since|until|expires)$/;
const longestSpan = 8_640_000_000_000_000;

/** JSON for people: indented, and points in time in ISO 8601. Text that is not JSON stays as it is. */
export function readable(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), inIso, 2);
  } catch {
    return answer;
  }
}

const inIso = (name: string, value: unknown) =>
  timeName.test(name) && Number.isInteger(value) && Math.abs(value as number) <= longestSpan
    ? new Date(value as number).toISOString()
    : value;
