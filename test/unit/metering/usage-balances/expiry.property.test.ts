import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeUsage,
  coverOpen,
  expireCredits,
  grantCredit,
} from '#domain/metering/ledger/change-usage.ts';
import { coveredOf, type Ledger, type Period, usageOf } from '#domain/metering/ledger/ledger.ts';
import { type Correction, ranOutSince } from '#domain/metering/ledger/usage-correction.ts';
import { accounts } from '#domain/model/metering/accounts.ts';
import { seeded } from '../../../support/seeded.ts';

const runs = seeded('expiry.property.test.ts', { numRuns: 500 });

const running: Period = { id: 'january', start: 0, end: 30, closed: false };
const closed: Period = { ...running, closed: true };

/** An event that counts, and when it was recorded, or the one that it has replaced. */
interface Used {
  readonly since: number;
  readonly amount: bigint;
}

interface Grant {
  readonly amount: bigint;
  readonly expiresAt: number | null;
  readonly priority: number;
}

type Step =
  | { readonly do: 'use'; readonly amount: bigint }
  | ({ readonly do: 'grant' } & Grant)
  | { readonly do: 'void'; readonly nth: number }
  | { readonly do: 'replace'; readonly nth: number; readonly amount: bigint };

const amount = fc.bigInt({ min: 1n, max: 30n });
const expiresAt = fc.option(fc.integer({ min: 1, max: 35 }));
const use = fc.record({ do: fc.constant('use' as const), amount });
const grant = fc.record({
  do: fc.constant('grant' as const),
  amount,
  expiresAt,
  priority: fc.constantFrom(0, 50),
});
const correct = fc.oneof(
  fc.record({ do: fc.constant('void' as const), nth: fc.nat(9) }),
  fc.record({ do: fc.constant('replace' as const), nth: fc.nat(9), amount }),
);

/** Steps at their times, in the order of time; from the 30th on the period has ended. */
const timed = <T>(step: fc.Arbitrary<T>, most: number, last = 34) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: last }), step), { maxLength: most })
    .map((steps) => steps.toSorted(([a], [b]) => a - b));

/** A ledger of one period, and the events that count for it. */
class Story {
  ledger: Ledger = {
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
  used: Used[] = [];
  private names = 0;

  private get period() {
    return this.ledger.now < running.end ? running : closed;
  }

  tell(steps: readonly (readonly [number, Step])[], after = () => {}) {
    for (const [at, step] of steps) {
      this.wait(at);
      this.execute(step);
      after();
    }
    this.wait(34);
    after();
  }

  private wait(now: number) {
    const ends = this.ledger.now < running.end && now >= running.end;
    this.ledger = { ...this.ledger, now: ends ? running.end : now };
    expireCredits(this.ledger);
    if (ends) coverOpen(this.ledger, 'january', closed);
    this.ledger = { ...this.ledger, now };
    expireCredits(this.ledger);
  }

  private execute(step: Step) {
    const { now } = this.ledger;
    if (step.do === 'grant') {
      if (now >= running.end || (step.expiresAt !== null && step.expiresAt <= now)) return;
      const id = `c${String(++this.names).padStart(9, '0')}`;
      const { do: _, ...given } = step;
      const position = this.names;
      const credit = { ...given, id, position, createdAt: now, expired: 0n, applied: new Map() };
      grantCredit(this.ledger, { ...credit, remaining: given.amount }, running);
    } else if (step.do === 'use') {
      this.used.push({ since: now, amount: step.amount });
      this.change(step.amount);
    } else if (this.used.length > 0) {
      const [gone] = this.used.splice(step.nth % this.used.length, 1) as [Used];
      this.change(-gone.amount, gone);
      if (step.do === 'void') return;
      const instead = { since: gone.since, amount: step.amount };
      this.used.push(instead);
      this.change(step.amount, instead);
    }
  }

  private change(by: bigint, event?: Used) {
    const source = { type: by > 0n ? 'usage_recorded' : 'usage_voided', sourceId: 'e' } as const;
    const correction = event && this.correctionOf(event.since);
    changeUsage(this.ledger, { source, period: this.period, priceId: 'one', by, correction });
  }

  private correctionOf(recordedAt: number): Correction {
    const credits = ranOutSince(this.ledger, this.period, recordedAt);
    const instants = credits.map(({ expiresAt }) => expiresAt as number);
    return { recordedAt, usedBefore: new Map(instants.map((at) => [at, this.usedBefore(at)])) };
  }

  usedBefore(instant: number) {
    return sum(this.used.filter(({ since }) => since < instant).map(({ amount }) => amount));
  }
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, amount) => sum + amount, 0n);

/** The cover of credits that have expired within the period by an instant, and the usage by then. */
function expectCoverToBeEarned(story: Story) {
  const { ledger } = story;
  for (const { expiresAt } of ledger.credits) {
    if (expiresAt === null || expiresAt > ledger.now || expiresAt >= running.end) continue;
    const earlier = ledger.credits.filter((one) => one.expiresAt && one.expiresAt <= expiresAt);
    const covered = sum(earlier.map(({ applied }) => applied.get(running.id) ?? 0n));
    expect(covered).toBeLessThanOrEqual(story.usedBefore(expiresAt));
  }
  expect(usageOf(ledger, running.id)).toBe(sum(story.used.map(({ amount }) => amount)));
  expect(coveredOf(ledger, running.id)).toBeLessThanOrEqual(usageOf(ledger, running.id));
  for (const { amount, remaining, expired, applied } of ledger.credits) {
    expect(remaining >= 0n && expired >= 0n).toBe(true);
    expect(remaining + expired + sum(applied.values())).toBe(amount);
  }
}

describe('credits that run out', () => {
  test('cover no more than was used before, whatever is used, given and corrected, and when', () => {
    fc.assert(
      fc.property(timed<Step>(fc.oneof(use, use, grant, correct), 25), (steps) => {
        const story = new Story();
        story.tell(steps, () => expectCoverToBeEarned(story));
      }),
      runs,
    );
  });

  test('are after corrections as if all had been right at once, and so is what can still be used', () => {
    const grants = fc.array(fc.record({ amount, expiresAt }), { maxLength: 4 });
    const steps = timed<Step>(fc.oneof(use, use, correct), 15);
    fc.assert(
      fc.property(grants, steps, (grants, steps) => {
        const [corrected, right] = [new Story(), new Story()];
        const given = grants.map(
          (credit) => [0, { do: 'grant', ...credit, priority: 50 }] as [number, Step],
        );
        corrected.tell([...given, ...steps]);
        const used = corrected.used.toSorted((a, b) => a.since - b.since);
        const anew = used.map(({ since, amount }) => [since, { do: 'use', amount }] as const);
        right.tell([...given, ...anew]);
        expect(corrected.ledger.balances).toEqual(right.ledger.balances);
      }),
      runs,
    );
  });
});
