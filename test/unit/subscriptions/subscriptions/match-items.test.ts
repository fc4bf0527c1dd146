import { describe, expect, test } from 'vitest';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import { matchItems } from '#domain/subscriptions/adjusting/match-items.ts';
import { mostExpensiveItem } from '#domain/subscriptions/entitlement/most-expensive-item.ts';

const planned = (id: string | null, changes: Partial<PlannedItem> = {}): PlannedItem => ({
  id,
  priceId: 'price_a',
  name: 'A',
  unitPrice: 100,
  quantity: 1,
  externalId: null,
  metadata: null,
  expiredAt: null,
  ...changes,
});
const [one, two] = [{ id: 'si_1' }, { id: 'si_2' }];

describe('the items of a plan', () => {
  test('continue when their id is named, and end when it is not', () => {
    const kept = planned('si_1', { quantity: 3 });
    expect(matchItems([one, two], [kept])).toEqual({
      kept: [{ item: one, planned: kept }],
      added: [],
      ended: [two],
    });
  });

  test('are new without an id, also twice the same', () => {
    const added = [planned(null), planned(null)];
    expect(matchItems([one], added)).toEqual({ kept: [], added, ended: [one] });
  });

  test('all end when none is wanted', () => {
    expect(matchItems([one, two], [])).toEqual({ kept: [], added: [], ended: [one, two] });
  });

  test.for([[['si_x']], [['si_1', 'si_1']]])(
    'are refused by the ids %s, with the place',
    ([ids]) => {
      const wanted = (ids ?? []).map((id) => planned(id));
      expect(() => matchItems([one], wanted)).toThrow(
        expect.objectContaining({
          issues: [
            {
              code: 'NOT_FOUND',
              path: ['adjustment', 'newSubscriptionItems', `${wanted.length - 1}`, 'id'],
              message: expect.stringContaining('is not a current item'),
            },
          ],
        }),
      );
    },
  );
});

describe('the main item', () => {
  const item = (unitPrice: number, quantity: number, day: number, priceId = 'price_a') => ({
    unitPrice,
    quantity,
    addedDate: new Date(day),
    priceId,
  });

  test('is the most expensive one, by price and quantity', () => {
    expect(mostExpensiveItem([item(100, 1, 1), item(30, 4, 0), item(119, 1, 2)])).toEqual(
      item(30, 4, 0),
    );
  });

  test('is the newest of equally expensive ones', () => {
    expect(mostExpensiveItem([item(100, 1, 1), item(50, 2, 2)])).toEqual(item(50, 2, 2));
  });

  test('does not depend on the order of what is equal', () => {
    const [a, b] = [item(100, 1, 1, 'price_a'), item(100, 1, 1, 'price_b')];
    expect(mostExpensiveItem([a, b])).toEqual(mostExpensiveItem([b, a]));
  });

  test('is missing where there is none', () => {
    expect(mostExpensiveItem([])).toBeUndefined();
  });
});
