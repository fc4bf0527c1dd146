import { Concurrency } from './concurrency.ts';
import type { DomainError } from './errors.ts';

/** How many answers one unit of work may need one after the other. */
export const mostAnswers = 20;

/** How many answers a batch awaits at the same time. */
const together = 8;

/**
 * A transaction cannot continue without the answer of another service. It is rolled back, so no lock and no connection
 * waits; `ask` stores the answer in this process, and the work runs again. Never reaches a caller.
 */
export class AnswerNeeded extends Error {
  override readonly name = 'AnswerNeeded';
  /** Waits for the answer. Errors: those of the other service. */
  readonly ask: () => Promise<void>;
  /** The refusal of the call where each attempt needs a further answer. */
  readonly unanswered: DomainError;

  constructor(ask: () => Promise<void>, unanswered: DomainError) {
    super('The transaction needs the answer of another service');
    this.ask = ask;
    this.unanswered = unanswered;
  }
}

/** Asks for several answers, some at the same time. Returns the outcomes in their order. */
export async function askAll(
  needed: readonly AnswerNeeded[],
): Promise<PromiseSettledResult<void>[]> {
  const slots = new Concurrency(together);
  return Promise.allSettled(needed.map(({ ask }) => slots.take(ask)));
}
