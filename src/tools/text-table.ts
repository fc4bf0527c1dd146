/** Lines of cells as columns of a terminal. */
export function textTable(lines: readonly (readonly string[])[]): string {
  const [heads = []] = lines;
  const widths = heads.map((_head, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const padded = (line: readonly string[]) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${padded(line).join('  ').trimEnd()}\n`).join('');
}

export const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names come from API callers: they must not send control characters to the terminal. */
export const printable = (text: string) => text.replace(/\p{C}/gu, ' ');

/** A result for programs: JSON, indented so that people can read it, too. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
