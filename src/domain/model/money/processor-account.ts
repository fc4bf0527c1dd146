import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { baseColumns, checksOf, instant } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { open, seal } from '#domain/kernel/security/secrets.ts';

export const processorKinds = ['stripe'] as const;

export type ProcessorKind = (typeof processorKinds)[number];

const context = (id: string) => `processor_account ${id}`;

/** Encrypts a secret of an account for storage. */
export const sealAccountSecret = (accountId: string, secret: string) =>
  seal(secret, context(accountId));

const ProcessorAccountSchema = defineEntity({
  name: 'ProcessorAccount',
  uniques: [
    {
      name: 'processor_account_mode_unique',
      properties: ['organizationId', 'livemode'],
      where: { disconnectedAt: null },
    },
    {
      name: 'processor_account_reference_unique',
      properties: ['organizationId', 'livemode', 'kind', 'accountReference'],
    },
  ],
  checks: checksOf({
    processor_account_connected: '(secret_key is null) = (disconnected_at is not null)',
  }),
  properties: {
    ...baseColumns('processor_account'),
    kind: p.enum(processorKinds),
    /** The processor's id of the account: references belong to it, whatever its key. */
    accountReference: p.string(),
    name: p.text().nullable(),
    apiVersion: p.string(),
    /** The last four characters of the secret key. */
    keyEnding: p.string().length(4),
    /** Whether the key has only the rights that it was given. */
    restricted: p.boolean().default(false),
    /** Whether notices arrive: a secret for their signatures is known. */
    receivesNotices: p.boolean().default(false),
    /** Why the processor refuses the key, and since when; null while it accepts it. */
    refusedReason: p.text().nullable(),
    refusedAt: instant().nullable(),
    disconnectedAt: instant().nullable(),
    /** The secret key; encrypted. */
    secretKey: p.text().nullable().hidden(),
    /** Verifies notices; encrypted. */
    webhookSecret: p.text().nullable().hidden(),
    /** Also verifies them until the overlap is over; encrypted. */
    previousWebhookSecret: p.text().nullable().hidden(),
    previousWebhookSecretUntil: instant().nullable().hidden(),
    /** The endpoint that was created at the processor. */
    endpointReference: p.string().nullable().hidden(),
    /** Until when the processor's events have been listed, and its charges compared. */
    eventsSeenUntil: instant().nullable().hidden(),
    chargesComparedUntil: instant().nullable().hidden(),
  },
});

/** The account of an organization at a processor of payments, in one mode. */
export class ProcessorAccount extends ProcessorAccountSchema.class implements Partial<EmitsEvents> {
  get isConnected(): Opt<boolean> {
    return this.disconnectedAt == null;
  }

  /** The secret key in clear; never log or return it. */
  openSecretKey(): string {
    if (!this.secretKey) throw new Error(`The account ${this.id} is disconnected`);
    return open(this.secretKey, context(this.id));
  }

  /** The secrets that sign notices at an instant, in clear. */
  openWebhookSecrets(now: Date): string[] {
    const { webhookSecret, previousWebhookSecret, previousWebhookSecretUntil: until } = this;
    const stored = [webhookSecret, until && until > now ? previousWebhookSecret : null];
    return stored.flatMap((secret) => (secret ? [open(secret, context(this.id))] : []));
  }

  /** Replaces the secret of notices; the old one stays valid for a while. */
  rotateWebhookSecret(secret: string, previousUntil: Date) {
    if (this.webhookSecret) {
      this.previousWebhookSecret = this.webhookSecret;
      this.previousWebhookSecretUntil = previousUntil;
    }
    this.webhookSecret = sealAccountSecret(this.id, secret);
    this.receivesNotices = true;
  }

  /** Erases the secrets. The references of customers and payments stay for a later connection. */
  disconnect(now: Date) {
    this.disconnectedAt = now;
    this.secretKey = null;
    this.webhookSecret = null;
    this.previousWebhookSecret = null;
    this.previousWebhookSecretUntil = null;
    this.endpointReference = null;
    this.receivesNotices = false;
    this.refusedReason = null;
    this.refusedAt = null;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('disconnectedAt')) return this.isConnected ? 'connected' : 'disconnected';
    return changed.has('refusedAt') && this.refusedAt ? 'refused' : undefined;
  }
}
ProcessorAccountSchema.setClass(ProcessorAccount);
