import fc from 'fast-check';
import { expect } from 'vitest';
import { Customer } from '#domain/customers/customer.ts';
import { errorWithoutRows } from '#server/logger.ts';
import { seeded } from '../support/seeded.ts';
import { test } from '../support/test.ts';

test('texts are bound: no statement of the ORM contains them, nor does the log of an error', async ({
  session,
}) => {
  const { em } = session;
  const [seen] = await em.execute<[{ query: string; text: string; at: string }]>(
    'select ?::text as text, query from pg_stat_activity where pid = pg_backend_pid() and ? = ?',
    ['jane@example.com', 'Jane Private', 'Jane Private'],
  );
  expect(seen.text).toBe('jane@example.com');
  expect(seen.query).not.toMatch(/jane|Private/);
  const now = new Date();
  const tenant = { livemode: false, organizationId: 'o', pricingModelId: session.pricingModelId };
  const failure = await em
    .fork()
    .insert(Customer, {
      ...{ id: 'cust_jane', externalId: 'jane', name: 'Jane Private', email: 'j@example.com' },
      ...{ ...tenant, createdAt: now, updatedAt: now, version: 1, archived: false },
    } as never)
    .catch((error: Error) => error);
  expect(failure).toBeInstanceOf(Error);
  const aggregate = new AggregateError([failure], `1 failed: cust_jane: ${failure}`);
  const logged = JSON.stringify([failure, aggregate].map(errorWithoutRows));
  expect(logged).toContain('violates not-null constraint');
  expect(logged).not.toMatch(/Private|j@example/);
});

test('a second statement in a text is a text', async ({ session }) => {
  const hostile = `'; drop table customer; --`;
  const [row] = await session.em.execute('select ?::text as text, ?::jsonb as json', [
    hostile,
    JSON.stringify([hostile]),
  ]);
  expect(row).toEqual({ text: hostile, json: [hostile] });
});

test('every text, list, object and instant comes back as it went', async ({ session }) => {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((text) => text.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 5 }), async (one, list) => {
      const [row] = await session.em.execute<[{ one: string; found: boolean; json: unknown }]>(
        'select ?::text as one, ? in (?) as found, ?::jsonb as json, ? as n',
        [one, list[0], list, { one, list }, 7],
      );
      expect(row).toEqual({ one, found: true, json: { one, list }, n: 7 });
    }),
    seeded('binding', { numRuns: 60 }),
  );
});
