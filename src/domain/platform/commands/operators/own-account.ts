import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Operator } from '#domain/model/platform/operator.ts';

/** The id of the operator who acts. Errors: FORBIDDEN for any other caller. */
export function ownId({ operator }: Pick<Session, 'operator'>): string {
  if (operator) return operator.id;
  throw new DomainError('FORBIDDEN', 'Only an operator who has signed in has an account');
}

/** The account of the operator who acts, locked. Errors: FORBIDDEN for any other caller. */
export const lockOwnAccount = (session: Session): Promise<Operator> =>
  session.em.findOneOrFail(Operator, ownId(session), {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });

/** Errors: FORBIDDEN, for the sessions of another operator. */
export const otherSessions = () =>
  new DomainError(
    'FORBIDDEN',
    'The sessions of other operators need the scope operators_write, which this role does not have',
  );
