import fc from 'fast-check';

const amount = fc.integer({ min: 1, max: 20 });

/** The status of an invoice before anything on it is corrected. */
const fate = fc.oneof(
  { weight: 3, arbitrary: fc.constant('paid' as const) },
  fc.constantFrom('refunded' as const, 'void' as const, 'uncollectible' as const),
  fc.record({ refundedPart: fc.integer({ min: 1, max: 99 }) }),
);
export type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

const correction = fc.record({ nth: fc.nat(20), amount: fc.option(amount, { freq: 2 }) });
export type Correction = typeof correction extends fc.Arbitrary<infer T> ? T : never;

const few = <T>(of: fc.Arbitrary<T>, most: number) => fc.array(of, { maxLength: most });

/** The usage of periods, the status of the invoice at the end of each, and the corrections then. */
export const correctionsScript = fc.record({
  aggregationType: fc.constantFrom('sum', 'max', 'last', 'count', 'count_distinct_properties'),
  periods: fc.array(
    fc.record({
      uses: few(fc.record({ amount, seat: fc.constantFrom('a', 'b') }), 3),
      fate,
      corrections: few(correction, 3),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  /** The status of the last invoice, and whether its usage is corrected before that. */
  last: fc.record({ fate, isOpenMeanwhile: fc.boolean(), corrections: few(correction, 3) }),
});
export type CorrectionsScript = typeof correctionsScript extends fc.Arbitrary<infer T> ? T : never;

interface Used {
  readonly period: number;
  readonly amount: number;
  readonly seat: string;
}

interface Bill {
  total: number;
  /** The part that the credit balance has paid. */
  applied: number;
  /** The reduction for usage that was overbilled. */
  setOff: number;
  state: 'open' | 'settled' | 'dead';
  refunded: number;
  given: number;
}

/** The billed part of a period that is not corrected yet, in minor units. */
interface Entry {
  readonly bill: Bill;
  left: number;
}

const unit = 100;
const plan = 2_000;

/**
 * The charges of a customer by the rules of `rest/guides/usage-and-credits.md`, computed in whole minor units: a unit
 * of usage costs 100, the plan 2,000.
 */
export class Expected {
  readonly bills: Bill[] = [];
  credit = 0;
  readonly aggregationType: string;
  /** Whether charges after its end stay open, since its card declines. */
  declines = false;
  /** In their order; a replacing event takes the place of the replaced one. */
  readonly events: (Used | null)[] = [];
  private readonly entries = new Map<number, Entry[]>();

  constructor(aggregationType: string) {
    this.aggregationType = aggregationType;
  }

  private usageOf(period: number): number {
    const events = this.events.filter((event) => event?.period === period) as Used[];
    const amounts = events.map(({ amount }) => amount);
    switch (this.aggregationType) {
      case 'count':
        return events.length;
      case 'max':
        return Math.max(0, ...amounts);
      case 'last':
        return amounts.at(-1) ?? 0;
      case 'count_distinct_properties': {
        const first = new Map<string, number>();
        for (const { seat, amount } of events) if (!first.has(seat)) first.set(seat, amount);
        return [...first.values()].reduce((sum, amount) => sum + amount, 0);
      }
      default:
        return amounts.reduce((sum, amount) => sum + amount, 0);
    }
  }

  private roomOf({ state, total, setOff, refunded, given }: Bill): number {
    if (state === 'dead') return 0;
    const kept = total + setOff - refunded - given;
    return refunded === 0 ? Number.POSITIVE_INFINITY : Math.max(0, kept);
  }

  /** The amounts due for periods before `until`, and the worth of corrections; worthless ones are dropped. */
  private unbilled(until: number) {
    const due: { period: number; amount: number }[] = [];
    const kept: { entry: Entry; amount: number }[] = [];
    const rooms = new Map<Bill, number>();
    for (let period = 0; period < until; period++) {
      const entries = this.entries.get(period) ?? [];
      const billed = entries.reduce((sum, { left }) => sum + left, 0);
      const delta = this.usageOf(period) * unit - billed;
      if (delta > 0) due.push({ period, amount: delta });
      let wanted = -delta;
      for (const entry of entries.toReversed()) {
        if (wanted <= 0) break;
        const taken = Math.min(wanted, entry.left);
        wanted -= taken;
        if (entry.bill.state === 'open') continue;
        const room = rooms.get(entry.bill) ?? this.roomOf(entry.bill);
        const amount = Math.min(taken, room);
        rooms.set(entry.bill, room - amount);
        entry.left -= taken - amount;
        if (amount > 0) kept.push({ entry, amount });
      }
    }
    return { due, kept };
  }

  private settle(until: number, otherCharges: number): Bill | null {
    const { due, kept } = this.unbilled(until);
    const charged = due.reduce((sum, { amount }) => sum + amount, 0);
    const worth = kept.reduce((sum, { amount }) => sum + amount, 0);
    const isEnd = otherCharges === 0;
    if (isEnd && charged === worth) return null;
    const bill: Bill = { total: 0, applied: 0, setOff: 0, state: 'settled', refunded: 0, given: 0 };
    for (const { period, amount } of due) {
      this.entries.set(period, [...(this.entries.get(period) ?? []), { bill, left: amount }]);
    }
    let room = isEnd ? Number.POSITIVE_INFINITY : charged + otherCharges;
    for (const { entry, amount } of kept) {
      const used = Math.min(room, amount);
      room -= used;
      entry.left -= used;
      entry.bill.given += used;
    }
    const total = otherCharges + charged - Math.min(worth, isEnd ? worth : charged + otherCharges);
    if (total < 0) this.credit -= total;
    bill.total = Math.max(0, total);
    bill.setOff = isEnd && total <= 0 ? 0 : Math.min(worth, charged + otherCharges);
    bill.applied = Math.min(this.credit, bill.total);
    this.credit -= bill.applied;
    if (total > 0) this.bills.push(bill);
    return bill;
  }

  /** The invoice at the end of a period. */
  endPeriod(period: number): Bill {
    return this.settle(period + 1, plan) as Bill;
  }

  /** Settles the end of the subscription, or a correction after it. */
  settleEnd(periods: number): Bill | null {
    const bill = this.settle(periods, 0);
    if (!bill || bill.total === 0) return null;
    if (this.declines && bill.total > bill.applied) bill.state = 'open';
    return bill;
  }

  meets(bill: Bill, fate: Fate): void {
    const paid = bill.total - bill.applied;
    bill.state = 'settled';
    if (fate === 'refunded') bill.refunded = paid;
    else if (typeof fate === 'object') bill.refunded = Math.ceil((paid * fate.refundedPart) / 100);
    // The customer has a credit for the corrected part already, so that pays for the refund of this part.
    const rest = Math.max(0, bill.total - bill.given);
    this.credit -= Math.max(0, bill.refunded - rest);
    if (fate === 'void' || fate === 'uncollectible') {
      bill.state = 'dead';
      this.credit += bill.applied + bill.setOff;
      bill.applied = 0;
    }
  }
}
