import { BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, serves, test } from '../sdk.ts';

const discount = {
  name: 'Welcome',
  code: 'WELCOME10',
  amountType: 'percent',
  amount: 10,
  duration: 'once',
  active: true,
} as const;

describe.skipIf(!serves('POST /discounts'))('discounts', () => {
  test('are created, read, changed and listed', async ({ client }) => {
    const created = await client.discounts.create({ discount });
    expect(created.discount).toMatchObject(discount);
    const { id } = created.discount;
    expect((await client.discounts.retrieve(id)).discount).toEqual({
      ...created.discount,
      redemptionCount: 0,
    });
    const changed = await client.discounts.update(id, {
      discount: { ...discount, id, name: 'Hello', active: false },
    });
    expect(changed.discount).toMatchObject({ id, name: 'Hello', active: false });
    const { data, total } = await client.discounts.list();
    expect({ total, ids: data.map(({ id }) => id) }).toEqual({ total: 1, ids: [id] });
  });

  test('last for a number of payments, or forever', async ({ client }) => {
    const some = await client.discounts.create({
      discount: { ...discount, code: 'THREE', duration: 'number_of_payments', numberOfPayments: 3 },
    });
    expect(some.discount).toMatchObject({ duration: 'number_of_payments', numberOfPayments: 3 });
    const all = await client.discounts.create({
      discount: {
        ...discount,
        code: 'FOREVER',
        duration: 'forever',
        amountType: 'fixed',
        amount: 500,
      },
    });
    expect(all.discount).toMatchObject({ duration: 'forever', amountType: 'fixed', amount: 500 });
  });

  test('that are missing or taken are typed errors', async ({ client }) => {
    expect(await errorOf(client.discounts.retrieve('discount_none'))).toBeInstanceOf(NotFoundError);
    await client.discounts.create({ discount });
    expect(await errorOf(client.discounts.create({ discount }))).toBeInstanceOf(BadRequestError);
  });
});
