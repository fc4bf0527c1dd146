import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxNotice } from '#domain/model/money/sandbox-objects.ts';
import { declined } from './behaviours.ts';

/**
 * An EntityManager outside of the caller's transaction: the processor's records survive its rollback. In a dry run
 * they belong to the transaction and are rolled back with it.
 */
export const ownRecords = ({ em, dryRun = false }: Pick<Session, 'em' | 'dryRun'>): EntityManager =>
  em.fork({ clear: true, disableTransactions: false, keepTransactionContext: dryRun });

/** Locks a charge, and brings it to its state at an instant. */
export async function lockCharge(em: EntityManager, idempotencyKey: string, now: Date) {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const known = (await em.findOne(SandboxCharge, idempotencyKey, { lockMode })) ?? undefined;
  const { status, settlesAs, settlesAt } = known ?? {};
  if (!known || status !== 'processing' || !settlesAt || settlesAt > now) return known;
  if (settlesAs === 'failed') em.assign(known, declined('debit_not_authorized'));
  else known.status = 'succeeded';
  return known;
}

/** Lets the sandbox give a notice about an object at an instant. */
export function announce(
  em: EntityManager,
  organizationId: string,
  notice: Pick<SandboxNotice, 'object' | 'reference' | 'type' | 'dueAt'> & {
    chargeKey: string | null;
  },
) {
  em.create(SandboxNotice, { organizationId, ...notice });
}

export const chargeReferenceOf = (key: string) => `sandbox_ch_${key}`;
export const intentReferenceOf = (key: string) => `sandbox_pi_${key}`;
