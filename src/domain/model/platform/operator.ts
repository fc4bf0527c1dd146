import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { operatorRoles } from '#domain/kernel/access-scopes.ts';
import { checksOf, instant, organizationColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { open, seal } from '#domain/kernel/security/secrets.ts';

const context = (id: string) => `operator ${id}`;

const OperatorSchema = defineEntity({
  name: 'Operator',
  uniques: [{ name: 'operator_email_unique', properties: ['email'] }],
  indexes: [
    { name: 'operator_page', properties: ['organizationId', 'createdAt', 'position', 'id'] },
  ],
  checks: checksOf({
    operator_email: 'email = lower(email)',
    operator_second_factor: '(totp_secret is null) = (second_factor_at is null)',
  }),
  properties: {
    ...organizationColumns('operator'),
    /** Lower case; unique in the whole installation, since it names the organization at sign-in. */
    email: p.string(),
    name: p.string(),
    role: p.enum(operatorRoles),
    active: p.boolean().default(true),
    lastSignInAt: instant().nullable(),
    /** The last sign-in with this e-mail and a wrong password or code. */
    lastFailedSignInAt: instant().nullable(),
    passwordChangedAt: instant().nullable(),
    /** When the second factor was confirmed; null without one. */
    secondFactorAt: instant().nullable(),
    /** Argon2id; null for an operator who signs in through the identity provider only. */
    passwordHash: p.text().nullable().hidden(),
    /** Encrypted. */
    totpSecret: p.text().nullable().hidden(),
    /** Until the first code confirms it; encrypted. */
    pendingTotpSecret: p.text().nullable().hidden(),
    /** The 30 seconds of the last used code: no code of these or earlier ones is valid again. */
    totpStep: p.integer().nullable().hidden(),
    /** SHA-256 of each recovery code that has not been used. */
    recoveryCodes: p.json<readonly string[]>().defaultRaw(`'[]'`).hidden(),
    /** The issuer and the subject of the identity provider, from the first sign-in through it. */
    oidcIdentity: p.text().nullable().hidden(),
  },
});

/** A person who runs the organization, in both modes. */
export class Operator extends OperatorSchema.class implements EmitsEvents {
  get hasSecondFactor(): Opt<boolean> {
    return this.secondFactorAt != null;
  }

  get hasPassword(): Opt<boolean> {
    return this.passwordHash != null;
  }

  setPassword(hash: string, now: Date) {
    this.passwordHash = hash;
    this.passwordChangedAt = now;
  }

  /** A new secret that the next correct code confirms. */
  proposeTotpSecret(secret: string) {
    this.pendingTotpSecret = seal(secret, context(this.id));
  }

  /** The secret of the second factor, or the one that waits for its first code; undefined without one. */
  openTotpSecret(kind: 'confirmed' | 'pending'): string | undefined {
    const stored = kind === 'confirmed' ? this.totpSecret : this.pendingTotpSecret;
    return stored ? open(stored, context(this.id)) : undefined;
  }

  confirmSecondFactor(step: number, recoveryCodes: readonly string[], now: Date) {
    this.totpSecret = this.pendingTotpSecret ?? null;
    this.pendingTotpSecret = null;
    this.totpStep = step;
    this.recoveryCodes = recoveryCodes;
    this.secondFactorAt = now;
  }

  removeSecondFactor() {
    this.totpSecret = null;
    this.pendingTotpSecret = null;
    this.recoveryCodes = [];
    this.secondFactorAt = null;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('lastSignInAt')) return 'signed_in';
    if (changed.has('active')) return this.active ? 'activated' : 'deactivated';
    if (changed.has('secondFactorAt')) {
      return this.secondFactorAt ? 'second_factor_added' : 'second_factor_removed';
    }
    if (changed.has('passwordChangedAt')) return 'password_changed';
    return changed.has('lastFailedSignInAt') ? 'sign_in_failed' : undefined;
  }
}
OperatorSchema.setClass(Operator);
