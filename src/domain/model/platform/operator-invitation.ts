import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import { checksOf, instant, organizationColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { Operator } from './operator.ts';

const pending = { acceptedAt: null, revokedAt: null } as const;

const OperatorInvitationSchema = defineEntity({
  name: 'OperatorInvitation',
  uniques: [
    { name: 'operator_invitation_hash_text_unique', properties: ['hashText'] },
    {
      name: 'operator_invitation_pending_unique',
      properties: ['organizationId', 'email'],
      where: pending,
    },
  ],
  indexes: [
    {
      name: 'operator_invitation_page',
      properties: ['organizationId', 'createdAt', 'position', 'id'],
    },
    { name: 'operator_invitation_operator', properties: ['operator'] },
  ],
  checks: checksOf({
    operator_invitation_email: 'email = lower(email)',
    operator_invitation_end: 'accepted_at is null or revoked_at is null',
  }),
  properties: {
    ...organizationColumns('operator_invitation'),
    /** Lower case. */
    email: p.string(),
    name: p.string().nullable(),
    role: p.enum(operatorRoles),
    /** The operator whose password the link sets anew; of a new operator after the acceptance. */
    operator: () => p.manyToOne(Operator).ref().nullable().deleteRule('cascade'),
    expiresAt: instant(),
    acceptedAt: instant().nullable(),
    revokedAt: instant().nullable(),
    /** SHA-256 of the text in the link. */
    hashText: p.string().length(64).hidden(),
  },
});

/** A link with which a person becomes an operator, or an operator sets a new password. It works once. */
export class OperatorInvitation extends OperatorInvitationSchema.class implements EmitsEvents {
  get operatorId(): Opt<string> | null {
    return this.operator?.id ?? null;
  }

  isUsable(now: Date) {
    return this.acceptedAt == null && this.revokedAt == null && now < this.expiresAt;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('acceptedAt')) return 'accepted';
    return changed.has('revokedAt') ? 'revoked' : undefined;
  }
}
OperatorInvitationSchema.setClass(OperatorInvitation);
