import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeUsage,
  coverOpen,
  expireCredits,
  grantCredit,
} from '#domain/metering/ledger/change-usage.ts';
import type { Credit, Ledger, Period } from '#domain/metering/ledger/ledger.ts';
import { extendCredits, rollCredits } from '#domain/metering/ledger/roll-over-credits.ts';
import { accounts } from '#domain/model/metering/accounts.ts';
import { seeded } from '../../../support/seeded.ts';

const runs = seeded('rollover.property.test.ts', { numRuns: 500 });
const length = 10;
const count = 5;

const terms = fc.record({
  amount: fc.bigInt({ min: 1n, max: 100n }),
  limit: fc.option(fc.bigInt({ min: 0n, max: 100n })),
  periods: fc.integer({ min: 1, max: 3 }),
});
const units = fc.bigInt({ min: 0n, max: 150n });
/** For each period: the usage at its time, and the corrections of earlier ones that follow. */
const lives = fc.array(
  fc.record({
    used: units,
    corrections: fc.array(fc.record({ back: fc.integer({ min: 1, max: 3 }), to: units }), {
      maxLength: 2,
    }),
  }),
  { minLength: count, maxLength: count },
);

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, amount) => sum + amount, 0n);
const period = (place: number, closed = false): Period => ({
  id: `p${place}`,
  start: place * length,
  end: (place + 1) * length,
  closed,
});

function aLedger(): Ledger {
  return {
    balanceId: 'la_1',
    subscriptionId: 'sub',
    usageMeterId: 'meter',
    customerId: 'customer',
    watched: false,
    now: 0,
    recordedAt: 0,
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
  };
}

type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

/** A subscription with a grant for each period, which rolls over. */
class Story {
  ledger = aLedger();
  private readonly used = new Map<number, bigint>();

  private readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  begin(place: number) {
    const begun = period(place);
    this.ledger = { ...this.ledger, now: begun.start };
    if (place > 0) {
      const ended = period(place - 1, true);
      const rolling = extendCredits(this.ledger, ended.id, begun);
      expireCredits(this.ledger);
      coverOpen(this.ledger, ended.id, ended);
      rollCredits(this.ledger, rolling, begun);
    }
    const { amount, limit, periods } = this.terms;
    const credit: Credit = {
      id: `c${place}`,
      position: place,
      createdAt: this.ledger.now,
      expiresAt: begun.end,
      priority: 50,
      amount,
      remaining: amount,
      expired: 0n,
      applied: new Map(),
      rollover: { periodId: begun.id, limit, periods, into: null, kept: 0n, cut: 0n },
    };
    grantCredit(this.ledger, credit, begun);
  }

  /** Changes the usage of a period to an amount; a closed one by a correction. */
  use(place: number, to: bigint, running: number) {
    const by = to - (this.used.get(place) ?? 0n);
    this.used.set(place, to);
    const isClosed = place < running;
    const correction = isClosed ? { recordedAt: place * length, usedBefore: new Map() } : undefined;
    const source = { type: by > 0n ? 'usage_recorded' : 'usage_voided', sourceId: 'e' } as const;
    const of = { source, priceId: 'one', by, correction };
    changeUsage(this.ledger, { ...of, period: period(place, isClosed) });
  }

  expectSums() {
    const { credits, balances } = this.ledger;
    for (const { amount, remaining, expired, applied, rollover } of credits) {
      expect(remaining >= 0n && expired >= 0n).toBe(true);
      expect(sum(applied.values()) + expired + remaining).toBe(amount);
      if (!rollover?.into) continue;
      const { kept, cut, limit, periodId } = rollover;
      expect((applied.get(periodId) ?? 0n) + kept + cut).toBe(amount);
      expect(cut >= 0n && cut <= expired && kept >= 0n).toBe(true);
      if (limit !== null) expect(kept <= limit && (cut === 0n || kept === limit)).toBe(true);
    }
    expect(sum(credits.map(({ remaining }) => remaining))).toBe(balances.credits);
    expect(sum(credits.map(({ expired }) => expired))).toBe(balances.expired);
    expect(sum(credits.map(({ amount }) => amount))).toBe(-balances.granted);
  }
}

test('granted credits are the used, expired and remaining ones, and no more than the limit rolls over', () => {
  fc.assert(
    fc.property(terms, lives, (terms, lives) => {
      const story = new Story(terms);
      for (const [place, { used, corrections }] of lives.entries()) {
        story.begin(place);
        story.use(place, used, place);
        story.expectSums();
        for (const { back, to } of corrections) {
          if (back <= place) story.use(place - back, to, place);
          story.expectSums();
        }
      }
    }),
    runs,
  );
});

test('a correction before the next use leaves the credits as if the usage had been right from the start', () => {
  fc.assert(
    fc.property(terms, fc.array(units, { minLength: 1, maxLength: 4 }), (terms, amounts) => {
      const [corrected, right] = [new Story(terms), new Story(terms)];
      for (const story of [corrected, right]) {
        story.begin(0);
        story.use(0, (story === right ? amounts.at(-1) : amounts[0]) ?? 0n, 0);
        story.begin(1);
      }
      for (const to of amounts.slice(1)) corrected.use(0, to, 1);
      for (const story of [corrected, right]) {
        for (const place of [2, 3]) story.begin(place);
      }
      const told = ({ ledger }: Story) =>
        ledger.credits.map(({ remaining, expired, rollover }) => [remaining, expired, rollover]);
      expect(told(corrected)).toEqual(told(right));
    }),
    runs,
  );
});
