import { expect } from 'vitest';
import { test } from '../../../support/test.ts';

test('The tables of rehearsals have the shape of their originals, so that a further start changes none', async ({
  session,
}) => {
  const rows = await session.em.execute<{ name: string; same: boolean }[]>(
    `select tablename as name,
       rehearsal_shape('public', tablename) = rehearsal_shape('public_rehearsal', tablename) as same
     from pg_tables where schemaname = 'public_rehearsal'`,
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ same }) => !same)).toEqual([]);
});
