import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Cause } from './cause.ts';

/** A cause by its id, or the newest one with this X-Request-Id. Errors: NOT_FOUND. */
export async function readCause({ em }: Session, id: string): Promise<Cause> {
  const text = id.replaceAll('\0', '');
  const found =
    (await em.findOne(Cause, { id: text })) ??
    (await em.findOne(
      Cause,
      { requestId: text },
      { orderBy: { createdAt: 'desc', position: 'desc' } },
    ));
  if (found) return found;
  throw new DomainError('NOT_FOUND', `Cause ${text} not found`);
}
