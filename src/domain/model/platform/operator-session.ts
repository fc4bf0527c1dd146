import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { Operator } from './operator.ts';

/** The ways in which operators sign in. */
export const signInMethods = ['password', 'invitation', 'oidc'] as const;

export type SignInMethod = (typeof signInMethods)[number];

/** How long a session lasts at most, and how long without a request. */
export const sessionLife = { mostSeconds: 7 * 86_400, idleSeconds: 12 * 3_600 } as const;

const OperatorSessionSchema = defineEntity({
  name: 'OperatorSession',
  uniques: [{ name: 'operator_session_hash_text_unique', properties: ['hashText'] }],
  indexes: [
    { name: 'operator_session_operator', properties: ['operator', 'createdAt'] },
    { name: 'operator_session_age', properties: ['expiresAt'] },
  ],
  checks: checksOf({
    operator_session_life: 'expires_at > created_at',
  }),
  properties: {
    ...organizationColumns('operator_session'),
    operator: () => p.manyToOne(Operator).ref().deleteRule('cascade'),
    method: p.enum(signInMethods),
    expiresAt: instant(),
    revokedAt: instant().nullable(),
    /** The last request, to the minute. */
    lastSeenAt: instant().hidden(),
    /** SHA-256 of the text in the cookie. */
    hashText: p.string().length(64).hidden(),
    /** The browser and its address at sign-in; null unless the settings keep addresses. */
    userAgent: p.text().nullable().hidden(),
    address: p.text().nullable().hidden(),
  },
});

/** A browser in which an operator has signed in. The text in its cookie is not stored. */
export class OperatorSession extends OperatorSessionSchema.class implements EmitsEvents {
  get operatorId(): Opt<string> {
    return this.operator.id;
  }

  /** When the session ends without a further request. */
  get endsAt(): Opt<Date> {
    const idleEnd = this.lastSeenAt.getTime() + sessionLife.idleSeconds * 1_000;
    return new Date(Math.min(this.expiresAt.getTime(), idleEnd));
  }

  isUsable(now: Date) {
    return this.revokedAt == null && now < this.endsAt;
  }

  revoke(now: Date) {
    this.revokedAt ??= now;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('revokedAt') ? 'revoked' : undefined;
  }
}
OperatorSessionSchema.setClass(OperatorSession);
