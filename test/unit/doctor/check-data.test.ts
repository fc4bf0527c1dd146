import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#root';
import { bounds, manyJobFailures } from '../../../src/tools/doctor/check-data.ts';

test('the doctor and the rules for alerts have the same limit of each metric', async () => {
  const text = await readFile(path.join(root, 'src/deploy/alerts.yml'), 'utf8');
  const limits = new Map(
    [...text.matchAll(/max(?: by \(\w+\))? ?\((tollgate_\w+)\) (>=?) (\d+)/g)].map(
      ([, name = '', sign, limit]) => [name, Number(limit) - (sign === '>=' ? 1 : 0)],
    ),
  );
  expect(limits.get('tollgate_job_failures')).toBe(manyJobFailures - 1);
  const shared = bounds.filter(({ name }) => limits.has(name));
  expect(shared.length).toBeGreaterThan(6);
  for (const { name, most } of shared) expect([name, most]).toEqual([name, limits.get(name)]);
});
