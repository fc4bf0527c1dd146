import type { UnitCause } from '#domain/kernel/unit-cause.ts';
import type { LineRates } from './rule-of-rates.ts';
import type { TaxQuestion } from './tax-question.ts';

/** How many answers of a unit of work are kept, such as those of a batch. */
const most = 500;

interface Answered {
  readonly question: TaxQuestion;
  readonly rates: LineRates;
}

/** The latest answers of each unit of work, by the form of their questions. */
const answered = new WeakMap<UnitCause, Map<string, Answered>>();

/** Keeps an answer for the unit of work that has asked. */
export function keepNear(cause: UnitCause, question: TaxQuestion, rates: LineRates) {
  const own = answered.get(cause) ?? new Map<string, Answered>();
  answered.set(cause, own);
  own.delete(question.form);
  own.set(question.form, { question, rates });
  const [oldest] = own.keys();
  if (own.size > most && oldest !== undefined) own.delete(oldest);
}

/**
 * The rates that a unit of work has got for a question which differs by amounts alone, each by at most 1 %. Prorations
 * and usage change between the attempts of a command, and without it the last attempt would need an answer, too.
 */
export function nearRates(cause: UnitCause, question: TaxQuestion): LineRates | undefined {
  const known = answered.get(cause)?.get(question.form);
  if (!known || !isNear(known.question.reductions, question.reductions)) return undefined;
  const { asked } = known.question;
  const areNear = question.asked.every(({ amount }, at) => isNear(asked[at]?.amount ?? 0, amount));
  return areNear ? known.rates : undefined;
}

/** Amounts below 100 may differ by one minor unit. */
const isNear = (before: number, now: number) =>
  Math.sign(before) === Math.sign(now) &&
  Math.abs(now - before) <= Math.max(1, Math.abs(before) / 100);
