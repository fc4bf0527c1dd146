import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeUsage, expireCredits, grantCredit } from '#domain/metering/ledger/change-usage.ts';
import {
  type Credit,
  coveredOf,
  type Ledger,
  type Period,
  post,
  type Rate,
  usageOf,
} from '#domain/metering/ledger/ledger.ts';
import { recordOwedUsage } from '#domain/metering/ledger/record-owed-usage.ts';
import { accounts } from '#domain/model/metering/accounts.ts';
import { seeded } from '../../../support/seeded.ts';

const runs = seeded('ledger.property.test.ts', { numRuns: 300 });

const day = 86_400_000;
const running: Period = { id: 'january', start: 0, end: 31 * day, closed: false };
const closed: Period = { ...running, closed: true };
const prices = ['cheap', 'dear', 'free'];
const rates = new Map<string, Rate>([
  ['cheap', { unitPrice: 1, perUnit: 3 }],
  ['dear', { unitPrice: 7, perUnit: 10 }],
  ['free', { unitPrice: 0, perUnit: 1 }],
]);

const aLedger = (now = day): Ledger => ({
  balanceId: 'la_1',
  subscriptionId: 'sub',
  usageMeterId: 'meter',
  customerId: 'customer',
  watched: false,
  now,
  recordedAt: now,
  balances: Object.fromEntries(accounts.map((account) => [account, 0n])) as Ledger['balances'],
  totals: new Map(),
  credits: [],
  reserved: 0n,
  owed: new Map(),
  postings: [],
  owing: [],
  changedTotals: new Set(),
  changedCredits: new Set(),
  newCredits: new Set(),
});

const amount = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 10n ** 25n }));

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      price: fc.constantFrom(...prices),
      amount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      amount,
      expiresAt: fc.constantFrom(null, 40 * day, 60 * day, running.end),
      priority: fc.constantFrom(0, 50, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), nth: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let names = 0;

const use = (ledger: Ledger, price: string, by: bigint, period = running) =>
  changeUsage(ledger, {
    source: { type: by > 0n ? 'usage_recorded' : 'usage_voided', sourceId: `e${++names}` },
    period,
    priceId: price,
    by,
  });

const give = (ledger: Ledger, credit: Partial<Credit> & { amount: bigint }) =>
  grantCredit(
    ledger,
    {
      id: `c${String(++names).padStart(9, '0')}`,
      position: names,
      createdAt: ledger.now,
      expiresAt: null,
      priority: 50,
      remaining: credit.amount,
      expired: 0n,
      applied: new Map(),
      ...credit,
    },
    running,
  );

/** Executes steps; returns the usage that has not been voided. */
function execute(
  ledger: Ledger,
  steps: readonly Step[],
  after: (ledger: Ledger) => void = () => {},
) {
  const used: { price: string; amount: bigint }[] = [];
  for (const step of steps) {
    if (step.do === 'use') {
      use(ledger, step.price, step.amount);
      used.push(step);
    } else if (step.do === 'grant') {
      const { amount, expiresAt, priority } = step;
      give(ledger, { amount, expiresAt, priority });
    } else if (used.length > 0) {
      const [gone] = used.splice(step.nth % used.length, 1);
      if (gone) use(ledger, gone.price, -gone.amount);
    }
    after(ledger);
  }
  return used;
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, amount) => sum + amount, 0n);

const inOrder = (credits: readonly Credit[]) =>
  credits.toSorted(
    (a, b) =>
      a.priority - b.priority ||
      (a.expiresAt ?? Number.MAX_VALUE) - (b.expiresAt ?? Number.MAX_VALUE) ||
      a.id.localeCompare(b.id),
  );

/** The usage of the first credit in line, of the first two, and so on. */
function usedInOrder({ credits }: Ledger): bigint[] {
  let used = 0n;
  return inOrder(credits).map(({ amount, remaining }) => (used += amount - remaining));
}

/** The invariants of a ledger at any time. */
function expectLedgerToAgree(ledger: Ledger) {
  for (const {
    type: _,
    sourceId: _source,
    periodId: _period,
    priceId: _price,
    ...entries
  } of ledger.postings) {
    expect(sum(Object.values(entries))).toBe(0n);
  }
  for (const account of accounts) {
    expect(ledger.balances[account]).toBe(sum(ledger.postings.map((posting) => posting[account])));
  }
  for (const { amount, remaining, expired, applied } of ledger.credits) {
    expect(remaining).toBeGreaterThanOrEqual(0n);
    expect(expired).toBeGreaterThanOrEqual(0n);
    expect(remaining + expired + sum(applied.values())).toBe(amount);
  }
  expect(ledger.balances.credits).toBe(sum(ledger.credits.map(({ remaining }) => remaining)));
  expect(ledger.balances.expired).toBe(sum(ledger.credits.map(({ expired }) => expired)));
  expect(ledger.balances.usage).toBe(usageOf(ledger, running.id));
  expect(coveredOf(ledger, running.id)).toBeLessThanOrEqual(usageOf(ledger, running.id));
  expect(ledger.balances.overage + ledger.balances.billed).toBe(
    coveredOf(ledger, running.id) - usageOf(ledger, running.id),
  );
}

/** The amount owed in the end at each price. */
function settled(ledger: Ledger): Record<string, bigint> {
  recordOwedUsage(ledger, running.id, rates);
  return Object.fromEntries(
    prices.map((price) => [price, ledger.owed.get(`${running.id} ${price}`) ?? 0n]),
  );
}

/** The expected debt: credits cover the dearest price first, and the rest is owed. */
function expected(used: readonly { price: string; amount: bigint }[], granted: bigint) {
  let left = granted;
  const owed: Record<string, bigint> = {};
  for (const price of ['dear', 'cheap', 'free']) {
    const usage = sum(used.filter((one) => one.price === price).map(({ amount }) => amount));
    const free = left < usage ? left : usage;
    left -= free;
    owed[price] = usage - free;
  }
  return owed;
}

describe('the arithmetic of a ledger', () => {
  test('each transaction sums to zero, and the parts are the whole, after every step', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const ledger = aLedger();
        execute(ledger, steps, expectLedgerToAgree);
        settled(ledger);
        expectLedgerToAgree(ledger);
      }),
      runs,
    );
  });

  test('what is owed is what credits do not cover, the dearest price being covered first', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const ledger = aLedger();
        const used = execute(ledger, steps);
        const granted = sum(steps.flatMap((step) => (step.do === 'grant' ? [step.amount] : [])));
        expect(settled(ledger)).toEqual(expected(used, granted));
      }),
      runs,
    );
  });

  test('the order in which the same usage and grants of a period come makes no difference', () => {
    const steps = fc.array(
      step.filter((step) => step.do !== 'void'),
      { minLength: 2, maxLength: 15 },
    );
    const orders = steps.chain((steps) =>
      fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })),
    );
    fc.assert(
      fc.property(orders, ([steps, shuffled]) => {
        const [one, other] = [aLedger(), aLedger()];
        execute(one, steps);
        execute(other, shuffled);
        expect(other.balances).toEqual(one.balances);
        expect(settled(other)).toEqual(settled(one));
      }),
      runs,
    );
  });

  test('usage that is voided leaves all as if it had never been', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 15 }),
        fc.constantFrom(...prices),
        amount,
        fc.array(
          step.filter((step) => step.do === 'grant'),
          { maxLength: 3 },
        ),
        (before, price, amount, after) => {
          const [without, corrected] = [aLedger(), aLedger()];
          names = 0;
          execute(without, before);
          names = 0;
          execute(corrected, before);
          use(corrected, price, amount);
          use(corrected, price, -amount);
          // A credit goes to the credits that are used last, so those before them stay used.
          const [one, other] = [usedInOrder(corrected), usedInOrder(without)];
          for (const [place, used] of one.entries()) {
            expect(used).toBeGreaterThanOrEqual(other[place] as bigint);
          }
          execute(without, after);
          execute(corrected, after);
          expect(corrected.balances).toEqual(without.balances);
          expect(settled(corrected)).toEqual(settled(without));
        },
      ),
      runs,
    );
  });

  test('settling again owes only what has changed since, below zero for what was voided', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(fc.record({ price: fc.constantFrom(...prices), amount, back: fc.boolean() }), {
          maxLength: 8,
        }),
        (steps, late) => {
          const ledger = aLedger();
          execute(ledger, steps);
          settled(ledger);
          ledger.postings.length = 0;
          for (const account of accounts) ledger.balances[account] = 0n;
          for (const { price, amount, back } of late) {
            const total = ledger.totals.get(`${running.id} ${price}`)?.usage ?? 0n;
            use(ledger, price, back ? -(amount < total ? amount : total) : amount, closed);
            settled(ledger);
            const owing = sum(ledger.owing.map(({ quantity }) => quantity));
            expect(owing).toBe(usageOf(ledger, running.id) - coveredOf(ledger, running.id));
            expect(sum(ledger.owed.values())).toBe(owing);
            for (const owed of ledger.owed.values()) expect(owed).toBeGreaterThanOrEqual(0n);
          }
          const before = ledger.owing.length;
          settled(ledger);
          expect(ledger.owing).toHaveLength(before);
        },
      ),
      runs,
    );
  });

  test('credits are used by priority, then the soonest to run out, those without an end last', () => {
    const credit = fc.record({
      amount: fc.bigInt({ min: 1n, max: 100n }),
      expiresAt: fc.constantFrom(null, 2 * day, 40 * day, 50 * day),
      priority: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(credit, { minLength: 1, maxLength: 6 }),
        fc.bigInt({ min: 1n, max: 700n }),
        (credits, amount) => {
          const ledger = aLedger();
          for (const given of credits) give(ledger, given);
          use(ledger, 'cheap', amount);
          let left = amount;
          for (const { amount, remaining } of inOrder(ledger.credits)) {
            const taken = left < amount ? left : amount;
            expect(amount - remaining).toBe(taken);
            left -= taken;
          }
        },
      ),
      runs,
    );
  });

  test('of credits that last equally long the oldest is used first', () => {
    const ledger = aLedger();
    give(ledger, { amount: 5n, createdAt: 3, id: 'c1' });
    give(ledger, { amount: 5n, createdAt: 1, id: 'c3' });
    give(ledger, { amount: 5n, createdAt: 2, id: 'c2' });
    use(ledger, 'cheap', 7n);
    expect(ledger.credits.map(({ remaining }) => remaining)).toEqual([5n, 0n, 3n]);
  });

  test('credits that have run out cover nothing more; of what they covered they keep what still was used before, and the rest is gone', () => {
    const ledger = aLedger();
    give(ledger, { amount: 100n, expiresAt: 2 * day });
    use(ledger, 'cheap', 30n);
    const later: Ledger = { ...ledger, now: 2 * day };
    expect(expireCredits(later)).toMatchObject([{ expired: 70n, remaining: 0n }]);
    expect(expireCredits(later)).toEqual([]);
    use(later, 'cheap', 10n);
    expect(later.balances.overage).toBe(-10n);
    const source = { type: 'usage_voided', sourceId: 'e1' } as const;
    const correction = { recordedAt: day, usedBefore: new Map([[2 * day, 15n]]) };
    changeUsage(later, { source, period: running, priceId: 'cheap', by: -15n, correction });
    expect(later.balances).toMatchObject({ usage: 25n, overage: -10n, credits: 0n, expired: 85n });
    expectLedgerToAgree(later);
  });

  test('late usage of a period that has ended is covered by what could be used in it', () => {
    const ledger = aLedger();
    give(ledger, { amount: 100n, expiresAt: running.end });
    use(ledger, 'dear', 30n);
    const later: Ledger = { ...ledger, now: running.end };
    recordOwedUsage(later, running.id, rates);
    expireCredits(later);
    give(later, { amount: 1_000n, createdAt: running.end });
    use(later, 'dear', 90n, closed);
    recordOwedUsage(later, running.id, rates);
    expect(later.owing).toMatchObject([{ quantity: 20n }]);
    expect(later.balances).toMatchObject({ credits: 1_000n, expired: 0n, overage: -20n });
  });

  test('a transaction that does not sum to zero is refused', () => {
    const source = { type: 'usage_recorded', sourceId: 'e1' } as const;
    expect(() => post(aLedger(), source, { usage: 2n, credits: -1n })).toThrow(
      'sums to 1, not zero',
    );
  });
});
