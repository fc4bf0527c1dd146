import { expect } from 'vitest';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import type { Session } from '#domain/kernel/session.ts';
import { anOpenInvoice } from '../../support/factories.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

/** Copies the lines of all invoices, as a sweep adds them. */
const copyLines = ({ em }: Session, times: number) =>
  em.fork().execute(
    `insert into invoice_line_item
     select copy.* from invoice_line_item r, generate_series(1, ?) n,
       jsonb_populate_record(r, jsonb_build_object('id', r.id || '_' || n || '_' || gen_random_uuid())) copy`,
    [times],
  );

/** The rows that the statistics know of; -1 where there are none. */
const knownRows = async ({ em }: Session) => {
  const sql = `select reltuples::int as rows from pg_class where oid = 'invoice_line_item'::regclass`;
  const [{ rows }] = await em.fork().execute<[{ rows: number }]>(sql);
  return rows;
};

test('a table that has grown is analyzed, and not again before it is much larger', async ({
  session,
}) => {
  await session.em.execute('alter table invoice_line_item set (autovacuum_enabled = off)');
  await anOpenInvoice(session);
  await analyzeGrown(session.em);
  expect(await knownRows(session)).toBe(-1);

  await copyLines(session, 5_000);
  await analyzeGrown(session.em);
  const known = await knownRows(session);
  expect(known).toBeGreaterThanOrEqual(5_000);

  await copyLines(session, 1);
  await analyzeGrown(session.em);
  expect(await knownRows(session)).toBe(known);
});

test('tables of any size are looked at, also where their bytes are no 32-bit number', async ({
  session,
}) => {
  const { em } = session;
  await em.execute('alter table invoice_line_item set (autovacuum_enabled = off)');
  await em.execute(
    `update pg_class set relpages = 1000000000, reltuples = 7 where oid = 'invoice_line_item'::regclass`,
  );
  await analyzeGrown(em);
  expect(await knownRows(session)).toBe(7);
});
