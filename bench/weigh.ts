import { measureStarts } from './weights/start.ts';
import { stillWeights } from './weights/still.ts';
import { measureTypeCheck } from './weights/type-check.ts';

/**
 * `npm run -s weigh` prints the weights of the repository with what they are meant to become. The figures of processor
 * time depend on the machine; the others are held by a test.
 */
const rows: [name: string, now: string, target: string][] = [];
for (const { name, target, measure } of stillWeights) {
  rows.push([name, String(await measure()), `≤ ${target}`]);
}
const { empty, withData } = await measureStarts();
rows.push(['start with data, s of processor time', withData.toFixed(1), '≤ 2']);
rows.push(['start in an empty folder, s of processor time', empty.toFixed(1), '≤ 3.5']);
const { cold, warm } = measureTypeCheck();
rows.push(['type check, cold, s of processor time', cold.toFixed(0), '≤ 40']);
rows.push(['type check, warm, s of processor time', warm.toFixed(1), '≤ 5']);

const widths = [0, 1, 2].map((column) =>
  Math.max(...rows.map((row) => (row[column] ?? '').length)),
);
for (const row of [['weight', 'now', 'target'], ...rows]) {
  const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}
