import type { UnitCause } from './unit-cause.ts';

/** How long the work of one organization in a sweep has waited for answers of another service. */
export interface AnswerWait {
  milliseconds: number;
}

const waits = new WeakMap<UnitCause, AnswerWait>();

/** Has a unit of work of a sweep share its waiting time with the others of its organization. */
export const shareWait = (cause: UnitCause, wait: AnswerWait) => waits.set(cause, wait);

/** The waiting time that a unit of work shares; undefined for a request, which waits for its own answer alone. */
export const waitOf = (cause: UnitCause): AnswerWait | undefined => waits.get(cause);
