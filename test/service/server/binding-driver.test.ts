import { UniqueConstraintViolationException, wrap } from '@mikro-orm/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { errorWithoutRows } from '#server/observability/logger.ts';
import { aLiveSession, fresh } from '../../support/factories.ts';
import { seeded } from '../../support/seeded.ts';
import { aTenant } from '../../support/tenant.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

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

const words = ['Ada', 'Bob', '', "O'Brien", 'value 0', '?', '$1'] as const;
const instants = [1, 2, 3, 4].map((day) => new Date(Date.UTC(2026, 0, day)));
const word = fc.constantFrom(...words);
const instant = fc.constantFrom(...instants);

interface Case {
  readonly where: object;
  readonly matches: (row: Customer) => boolean;
}

/** Conditions of few shapes with many values, each beside the same condition on a row. */
const condition: fc.Arbitrary<Case> = fc.oneof(
  word.map((name) => ({ where: { name }, matches: (row: Customer) => row.name === name })),
  fc.tuple(word, word).map(([one, other]) => ({
    where: { $or: [{ name: one }, { domain: { $in: [one, other] } }] },
    matches: ({ name, domain }: Customer) => name === one || [one, other].includes(domain as never),
  })),
  fc.tuple(instant, word).map(([at, name]) => ({
    where: { createdAt: { $gt: at }, $not: { name } },
    matches: (row: Customer) => row.createdAt > at && row.name !== name,
  })),
  fc.tuple(fc.boolean(), fc.option(word)).map(([archived, domain]) => ({
    where: { archived, domain },
    matches: (row: Customer) => row.archived === archived && row.domain === domain,
  })),
  fc.tuple(fc.constantFrom('plan', 'a b', "it's"), word).map(([key, value]) => ({
    where: { metadata: { [key]: value } },
    matches: (row: Customer) => row.metadata?.[key] === value,
  })),
);

const options = fc.constantFrom<object>(
  {},
  { orderBy: { createdAt: 'desc', id: 'asc' } },
  { limit: 3, orderBy: { name: 'asc', id: 'asc' } },
  { fields: ['name', 'createdAt'] },
);

test('a query with the statement of an earlier one finds the rows of its own values and tenant', async ({
  session,
}) => {
  const tenants = [session, (await aTenant(session.em)).session, await aLiveSession(session)];
  const rows = await Promise.all(tenants.map(someCustomers));
  await fc.assert(
    fc.asyncProperty(fc.nat(2), condition, options, async (place, { where, matches }, options) => {
      const expected = rows[place]?.filter(matches).map(({ id }) => id);
      const { em } = fresh(tenants[place] as Session);
      const found = await em.find(Customer, where as never, options);
      const ids = found.map(({ id }) => id);
      if ('limit' in options) expect(ids).toHaveLength(Math.min(3, expected?.length ?? 0));
      expect(expected).toEqual(expect.arrayContaining(ids));
      if (!('limit' in options)) expect(ids.toSorted()).toEqual(expected?.toSorted());
      expect(await em.count(Customer, where as never)).toBe(expected?.length);
    }),
    seeded('known finds', { numRuns: 300 }),
  );
});

test('an update with the statement of an earlier one writes its own values', async ({
  session,
}) => {
  const [row] = await someCustomers(session);
  const changes = fc.record({
    name: word,
    domain: fc.option(word),
    archived: fc.boolean(),
    invoiceCount: fc.nat(3),
    metadata: fc.option(fc.record({ plan: word })),
  });
  const read = () => fresh(session).em.findOneOrFail(Customer, row?.id ?? '');
  await fc.assert(
    fc.asyncProperty(changes, async (changes) => {
      const { em } = fresh(session);
      wrap(await em.findOneOrFail(Customer, row?.id ?? '')).assign(changes as never);
      await em.flush();
      expect(await read()).toMatchObject(changes);
    }),
    seeded('known updates', { numRuns: 100 }),
  );
});

test('an update that a constraint refuses is an error of the driver, whoever built its statement', async ({
  session,
}) => {
  const rows = await someCustomers(session);
  const [taken, ...others] = rows.filter(({ archived }) => !archived);
  for (const { id } of others.slice(0, 4)) {
    const { em } = fresh(session);
    const customer = await em.findOneOrFail(Customer, id);
    customer.externalId = taken?.externalId ?? '';
    await expect(em.flush()).rejects.toBeInstanceOf(UniqueConstraintViolationException);
  }
});

/** Customers with each word as name and domain, at several instants. */
async function someCustomers(session: Session) {
  const { em } = fresh(session);
  const { organizationId, pricingModelId, livemode } = session;
  const customers = words.flatMap((name, place) =>
    instants.map((createdAt, day) =>
      em.create(Customer, {
        ...{ organizationId, pricingModelId, livemode, name, createdAt, updatedAt: createdAt },
        ...{ email: 'ada@example.com', externalId: `${name} ${day}`, version: 1 },
        ...{ archived: day === 0, domain: day === 1 ? null : (words[place + day] ?? null) },
        invoiceNumberBase: `A${place}B${day}C00`.slice(0, 7),
        metadata: day === 2 ? null : { plan: name, 'a b': `${day}`, "it's": name },
      } as never),
    ),
  );
  await em.flush();
  return customers;
}
