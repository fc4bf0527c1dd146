import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import type { ChargeBasis } from '#domain/model/subscriptions/planned-item.ts';
import { changedWorth } from './proration.ts';

/** The computation of a charge, step by step, and its differences from the invoice. */
export interface ExplainedCharge {
  readonly steps: readonly string[];
  readonly differences: readonly string[];
}

type Money = (amount: number) => string;

/**
 * Explains the charge of the invoice of an adjustment: the parts of its billing period by their plans, less the amount
 * that was paid for it. Charges of earlier versions have no steps.
 */
export async function explainCharge({ em }: Session, invoice: Invoice): Promise<ExplainedCharge> {
  const { id, billingRunId, currency, subtotal } = invoice;
  const run = billingRunId ? await em.findOne(BillingRun, billingRunId) : null;
  const { at, basis } = run?.adjustment ?? {};
  if (at === undefined || !basis) return { steps: [], differences: [] };
  const money: Money = (amount) => moneyText(amount, currency);
  const { steps, charge } = chargeOf(basis, at, money);
  return {
    steps,
    differences:
      charge === subtotal
        ? []
        : [`${id}: the change is charged ${money(subtotal)}, not ${money(charge)}`],
  };
}

function chargeOf(basis: ChargeBasis, at: number, money: Money) {
  const { start, end, since, used, total, apart = 0, paid, startsPeriod } = basis;
  const stretch = {
    startDate: new Date(start),
    endDate: new Date(end),
    since: new Date(since),
    used,
    total,
    apart,
  };
  const { before, after, total: next } = changedWorth(stretch, new Date(at), basis);
  const isSame = next === total && !startsPeriod;
  const [from, to] = [isoOf(since), isoOf(isSame ? end : at)];
  const earlier = used === 0 ? '' : `${money(used)} + `;
  const share = shareText((isSame ? end : at) - since, end - start);
  const rest = startsPeriod
    ? `new period from ${isoOf(at)}: ${money(next)}`
    : `new plan, ${isoOf(at)} to ${isoOf(end)}: ${money(next)} × ${shareText(end - at, end - start)}, rounded half up = ${money(after)}`;
  const worth = Math.max(0, before + after);
  const charge = Math.max(0, worth - paid);
  // The part before the charge of a kept period is below 0 where its discount is larger.
  const rounded = startsPeriod && used < 0 ? 'rounded half up, at least 0' : 'rounded half up';
  const sum = isSame ? money(worth) : `${money(before)} + ${money(after)} = ${money(worth)}`;
  return {
    charge,
    steps: [
      `${isSame ? '' : 'old '}plan, ${from} to ${to}: ${earlier}${money(total)} × ${share}, ${rounded} = ${money(before)}`,
      ...(isSame ? [] : [rest]),
      `worth of the period with the change: ${sum}`,
      `less payments for the period: ${money(worth)} - ${money(paid)} = ${money(charge)}`,
    ],
  };
}

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
  ['milliseconds', 1],
] as const;

/** A part of a period in the largest unit that states both exactly: «14 of 28 days». */
function shareText(part: number, whole: number): string {
  const [name, length] =
    units.find(([, size]) => part % size === 0 && whole % size === 0) ?? units[4];
  return `${part / length} of ${whole / length} ${name}`;
}
