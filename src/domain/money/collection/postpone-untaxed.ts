import { TaxServiceFailed } from '#domain/catalog/taxing/tax-service-failed.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

/** How long work waits for a tax service that gave no usable answer. */
export const taxPauseMilliseconds = 5 * 60_000;

/**
 * Executes work of a sweep. Where a tax service gave no usable answer, `postpone` has the work wait 5 minutes. So the
 * next sweep reads other rows first. Errors: those of the work.
 */
export async function postponeUntaxed(
  session: Session,
  work: Promise<void>,
  postpone: (session: Session, until: Date) => Promise<unknown>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    const until = new Date(session.now.getTime() + taxPauseMilliseconds);
    if (error instanceof TaxServiceFailed) await postpone(afresh(session), until);
    throw error;
  }
}
