import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Cause } from '#domain/model/platform/cause.ts';

/** A cause by its id, or the newest one with this X-Request-Id. Errors: NOT_FOUND. */
export async function readCause({ em }: Session, id: string): Promise<Cause> {
  const text = id.replaceAll('\0', '');
  const found = await em.findOne(Cause, text);
  if (found) return found;
  const orderBy = { createdAt: 'desc', position: 'desc' } as const;
  const [newest] = await em.find(Cause, { requestId: text }, { orderBy, limit: 1 });
  if (newest) return newest;
  throw new DomainError('NOT_FOUND', `Cause ${text} not found`);
}
