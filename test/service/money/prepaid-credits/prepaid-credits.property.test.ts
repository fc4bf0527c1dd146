import fc from 'fast-check';
import { expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { anInvoiceOf, aPayer, aPrepaidCredit, creditsOf } from '../../../support/prepaid.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T10:00:00Z');

const amount = fc.integer({ min: 1, max: 500 });
const terms = fc.constantFrom(
  {},
  { validDays: 20 },
  { validDays: 15, rollovers: 2 },
  { validDays: 10, rollovers: 3, rolloverLimit: 60 },
);
const step = fc.oneof(
  fc.record({ does: fc.constant('give'), amount, priority: fc.constantFrom(10, 50), terms }),
  fc.record({ does: fc.constant('bill'), amount }),
  fc.record({ does: fc.constantFrom('void', 'pay'), which: fc.nat(5) }),
  fc.record({ does: fc.constant('credit'), which: fc.nat(5), amount }),
  fc.record({ does: fc.constant('wait'), days: fc.integer({ min: 1, max: 25 }) }),
);
const script = fc.record({
  steps: fc.array(step as fc.Arbitrary<Step>, { minLength: 6, maxLength: 12 }),
  /** The days of each move of the clock, where it is advanced in short ones. */
  move: fc.integer({ min: 2, max: 9 }),
});

interface Step {
  readonly does: 'give' | 'bill' | 'void' | 'pay' | 'credit' | 'wait';
  readonly amount: number;
  readonly priority: number;
  readonly terms: { readonly validDays?: number; rollovers?: number; rolloverLimit?: number };
  readonly which: number;
  readonly days: number;
}

interface Grant {
  readonly given: number;
  readonly priority: number;
  readonly age: number;
  readonly span: number;
  readonly most: number;
  again: number;
  end: number;
  left: number;
  used: number;
  gone: number;
}

interface Bill {
  readonly total: number;
  readonly gave: Map<Grant, number>;
  state: 'open' | 'paid' | 'void';
  /** The amount that the balance and payments have paid, less the part that credit notes have returned. */
  money: number;
}

/** An independent account of what each grant, bill and balance should be, in whole days. */
class Model {
  readonly grants: Grant[] = [];
  readonly bills: Bill[] = [];
  balance = 0;
  today = 0;

  wait(days: number) {
    this.today += days;
    for (const grant of this.grants) this.#lapse(grant);
  }

  #lapse(grant: Grant) {
    while (grant.left > 0 && grant.end <= this.today) {
      const stays = grant.again > 0 ? Math.min(grant.left, grant.most) : 0;
      grant.gone += grant.left - stays;
      grant.left = stays;
      if (grant.again === 0) return;
      grant.again -= 1;
      grant.end += grant.span;
    }
  }

  give({ amount, priority, terms }: Step) {
    const span = terms.validDays ?? Number.POSITIVE_INFINITY;
    const most = terms.rolloverLimit ?? Number.POSITIVE_INFINITY;
    const age = this.grants.length;
    const state = { again: terms.rollovers ?? 0, end: this.today + span, left: amount };
    this.grants.push({ given: amount, priority, age, span, most, ...state, used: 0, gone: 0 });
  }

  bill(total: number) {
    const bill: Bill = { total, gave: new Map(), state: 'open', money: 0 };
    let owed = total;
    for (const grant of this.grants.toSorted(before)) {
      const part = Math.min(owed, grant.left);
      if (part === 0) continue;
      owed -= part;
      grant.left -= part;
      grant.used += part;
      bill.gave.set(grant, part);
    }
    bill.money = Math.min(owed, this.balance);
    this.balance -= bill.money;
    if (owed === bill.money) bill.state = 'paid';
    this.bills.push(bill);
  }

  #back(bill: Bill, wanted: number) {
    let owed = wanted;
    for (const grant of [...bill.gave.keys()].toSorted(before).toReversed()) {
      const part = Math.min(owed, bill.gave.get(grant) ?? 0);
      owed -= part;
      bill.gave.set(grant, (bill.gave.get(grant) ?? 0) - part);
      grant.used -= part;
      grant.left += part;
      this.#lapse(grant);
    }
  }

  void(bill: Bill) {
    bill.state = 'void';
    this.balance += bill.money;
    bill.money = 0;
    this.#back(bill, Number.POSITIVE_INFINITY);
  }

  pay(bill: Bill) {
    bill.state = 'paid';
    bill.money = bill.total - sum(bill.gave.values());
  }

  credit(bill: Bill, amount: number) {
    const money = Math.min(amount, bill.money);
    bill.money -= money;
    this.balance += money;
    this.#back(bill, amount - money);
  }

  get story() {
    return this.grants.map(({ given, left, used, gone }) => {
      const parts = Object.entries({ left, used, expired: gone }).filter(([, part]) => part > 0);
      return `gift ${given}: ${parts.map(([name, part]) => `${part} ${name}`).join(', ')}`;
    });
  }
}

const before = (a: Grant, b: Grant) =>
  a.priority - b.priority || (a.end === b.end ? a.age - b.age : a.end - b.end);
const sum = (parts: Iterable<number>) => [...parts].reduce((all, part) => all + part, 0);

/** Lives through the script, and compares with the model after each step. Returns the last story. */
async function live(session: Session, steps: readonly Step[], move: number | null) {
  const model = new Model();
  const { customerId, clockId } = await aPayer(session);
  const ids: string[] = [];
  const moveTo = (days: number) =>
    advance(session, clockId, new Date(start + days * day).toISOString());
  for (const step of steps) {
    const at = model.bills.length === 0 ? -1 : step.which % model.bills.length;
    const bill = model.bills[at];
    const id = ids[at] ?? '';
    if (step.does === 'give') {
      const { amount, priority, terms } = step;
      model.give(step);
      await aPrepaidCredit(session, customerId, { amount, priority, ...terms });
    } else if (step.does === 'bill') {
      model.bill(step.amount);
      ids.push((await anInvoiceOf(session, customerId, step.amount)).id);
    } else if (step.does === 'wait') {
      const from = model.today;
      model.wait(step.days);
      for (let to = from + (move ?? 0); move && to < model.today; to += move) await moveTo(to);
      await moveTo(model.today);
    } else if (step.does === 'void' && bill?.state === 'open') {
      model.void(bill);
      await voidInvoice(fresh(session), { id });
    } else if (step.does === 'pay' && bill?.state === 'open') {
      model.pay(bill);
      await payInvoice(fresh(session), { id });
    } else if (step.does === 'credit' && bill?.state === 'paid') {
      const amount = Math.min(step.amount, bill.money + sum(bill.gave.values()));
      if (amount === 0) continue;
      model.credit(bill, amount);
      await createCreditNote(fresh(session), {
        creditNote: { invoiceId: id, amount, settle: 'credit', reason: 'other' },
      });
    }
    const found = await fresh(session).em.findOneOrFail(Customer, customerId);
    const left = sum(model.grants.map((grant) => grant.left));
    expect([found.prepaidBalance, found.creditBalance]).toEqual([left, model.balance]);
    expect(await creditsOf(session, customerId)).toEqual(model.story);
  }
  return model.story;
}

test('each credit gives and gets back what it should, however the clock advances', async ({
  session,
}) => {
  await tried(
    'prepaid-credits',
    fc.asyncProperty(script, async ({ steps, move }) => {
      const story = await live(session, steps, null);
      expect(await live(session, steps, move)).toEqual(story);
    }),
    { cases: 3, milliseconds: 5_000 },
  );
  await expectMoneyToAgree(fresh(session));
});
