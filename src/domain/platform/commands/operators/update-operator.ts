import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, nameInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { lockOperators } from './lock-operators.ts';
import { revokeSessions } from './revoke-sessions.ts';

export const updateOperatorInput = z.object({
  id: z.string(),
  expectedVersion: expectedVersionInput,
  operator: z.object(
    changesTo({ name: nameInput, role: z.enum(operatorRoles), active: z.boolean() }),
  ),
});

/**
 * Changes the name or the role of an operator, deactivates it or activates it again. The sessions of a deactivated
 * operator end. Errors: NOT_FOUND; CONFLICT where no active owner would remain.
 */
export function updateOperator(
  session: Session,
  { id, expectedVersion, operator: changes }: z.output<typeof updateOperatorInput>,
): Promise<Operator> {
  return command(session, async (session) => {
    const { em } = session;
    await lockOperators(session);
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const operator = await em.findOneOrFail(Operator, id, lock);
    expectVersion(operator, expectedVersion);
    const { name, role, active } = changes;
    patch(operator, { name, role, active });
    await em.flush();
    if ((await em.count(Operator, { role: 'owner', active: true })) === 0) throw lastOwner(id);
    if (!operator.active) await revokeSessions(session, id);
    return operator;
  });
}

const lastOwner = (id: string) =>
  new DomainError('CONFLICT', `${id} is the last active owner: make another operator owner first`, {
    reason: 'INVALID_STATE',
  });
