import { describe, expect } from 'vitest';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { deletePricingModel } from '#domain/catalog/commands/pricing-models/delete-pricing-model.ts';
import { openSession } from '#domain/kernel/session.ts';
import { oneOfEach } from '../../../support/records/one-of-each.ts';
import { test } from '../../../support/test.ts';

describe('deletePricingModel', () => {
  test('leaves no row of the pricing model in any table', async ({ session: { em, ...scope } }) => {
    const { id } = await createPricingModel(openSession(em, scope), {
      pricingModel: { name: 'Ends' },
    });
    const own = () => openSession(em, { ...scope, pricingModelId: id });
    await oneOfEach(own());
    const tables = await em.execute<{ name: string }[]>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'pricing_model_id'
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       order by 1`,
    );
    const rowsLeft = () =>
      em.execute<{ name: string }[]>(
        tables
          .map(
            ({ name }) =>
              `select distinct '${name}' as name from ${name} where pricing_model_id = ?`,
          )
          .join(' union all '),
        tables.map(() => id),
      );
    expect((await rowsLeft()).length).toBeGreaterThan(40);

    await deletePricingModel(own());

    expect(await rowsLeft()).toEqual([]);
  });
});
