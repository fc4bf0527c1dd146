import type { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect } from 'vitest';
import { presentOf } from '#domain/kernel/values/present.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { makeDemo } from '../../src/tools/demo/make-demo.ts';
import { recallDemo } from '../../src/tools/demo/recall-demo.ts';
import { removeDemo } from '../../src/tools/demo/remove-demo.ts';
import { anOpenInvoice } from '../support/factories.ts';
import { systemTest as test } from '../support/test.ts';

const options = {
  customers: 24,
  now: new Date('2026-03-15T10:00:00Z'),
  stop: new AbortController().signal,
  report: () => {},
};

describe('a demo business', () => {
  test('has equal books, shows each state, is made once, and is removed without a trace', async ({
    session,
    api,
  }) => {
    const { organizationId } = session;
    await anOpenInvoice(session);
    const em = session.em.fork();
    await presentOf(em);
    const place = { organizationId, livemode: false, keyType: 'secret' } as const;
    await api('GET', '/events');
    const before = await picture(em);

    const { token, worlds } = await makeDemo(em, place, options);

    const look = (path: string) => api('GET', path, undefined, { key: token });
    expect((await look('/customers')).body).toMatchObject({ total: options.customers });
    const found = await statesOf(em, worlds[0]?.scope.pricingModelId ?? '');
    for (const [kind, states] of Object.entries(expected)) {
      expect(found[kind], kind).toEqual(expect.arrayContaining([...states]));
    }
    const failures: unknown[] = [];
    const checked = await checkBooks(em, options.now, 'check-books', (e) => failures.push(e));
    expect([checked.differences, failures]).toEqual([0, []]);

    await expect(makeDemo(em, place, options)).rejects.toThrow('tollgate demo remove');

    const recalled = await recallDemo(em, place);
    expect(recalled.map(peopleOf)).toEqual(worlds.map(peopleOf));

    await removeDemo(em, place);
    expect(await picture(em)).toEqual(before);
    // A process remembers a key for some seconds where no event announces its end.
    const status = async () => (await look('/customers')).status;
    await expect.poll(status).toBe(401);
    await expect(removeDemo(em, place)).rejects.toThrow('no demo');
  });
});

const expected = {
  subscription: ['active', 'canceled'],
  invoice: ['open', 'paid'],
  payment: ['failed', 'succeeded'],
  reservation: ['held'],
};

const peopleOf = ({ people }: { people: readonly { n: number; customerId: string }[] }) =>
  people.map(({ n, customerId }) => [n, customerId]);

async function statesOf(em: EntityManager, pricingModelId: string) {
  const states = Object.keys(expected).map(async (table) => {
    const rows = await em.execute<{ status: string }[]>(
      `select distinct status from ${table} where pricing_model_id = ?`,
      [pricingModelId],
    );
    return [table, rows.map(({ status }) => status)] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

/** The rows of all tables, but for the numbers of the feed, which events of others take meanwhile. */
async function picture(em: EntityManager) {
  const tables = await em.execute<{ name: string }[]>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace and relname <> 'event_head' order by 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    [rows[name]] = await em.execute(
      `select count(*)::int, md5(string_agg(t::text, ' ' order by t::text)) from ${name} t`,
    );
  }
  return rows;
}
