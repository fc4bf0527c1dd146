import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';

/** The run whose invoice could not be written, for each error. A transaction prepares the invoices of several runs. */
const failing = new WeakMap<object, string>();

/** Executes work for one run. An error of it, or of the answer that it needs, is noted as that of the run. */
export async function asWorkOf<T>(runId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AnswerNeeded)) throw noted(error, runId);
    const { ask, unanswered } = error;
    throw new AnswerNeeded(() => asWorkOf(runId, ask), noted(unanswered, runId));
  }
}

function noted<E>(error: E, runId: string): E {
  if (error instanceof Error && !failing.has(error)) failing.set(error, runId);
  return error;
}

/** The run that an error was noted for, if any. */
export const failingRunOf = (error: unknown): string | undefined =>
  error instanceof Error ? failing.get(error) : undefined;
