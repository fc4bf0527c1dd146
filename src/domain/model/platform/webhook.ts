import { defineEntity, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { open, seal } from '#domain/kernel/security/secrets.ts';
import type { EventType } from './event-types.ts';

const context = (id: string) => `webhook ${id}`;

/** Encrypts a signing secret for storage. */
export const sealSecret = (webhookId: string, secret: string) => seal(secret, context(webhookId));

/** Decrypts a stored signing secret, present or previous. */
export const openSecret = (webhookId: string, stored: string) => open(stored, context(webhookId));

const WebhookSchema = defineEntity({
  name: 'Webhook',
  indexes: [
    pageIndex('webhook'),
    {
      name: 'webhook_active',
      properties: ['organizationId', 'livemode'],
      where: { active: true },
    },
    {
      name: 'webhook_previous_secret',
      properties: ['previousSecretUntil'],
      where: { previousSecretUntil: { $ne: null } },
    },
  ],
  properties: {
    ...tenantColumns('webhook'),
    name: p.string(),
    url: p.text(),
    filterTypes: p.array<EventType>().$type<EventType[]>(),
    active: p.boolean().default(true),
    /** The reason for which the service itself has disabled it. */
    disabledReason: p.text().nullable(),
    /** Signs the requests to the endpoint; shown once, when the webhook is created; encrypted. */
    secret: p.text().hidden(),
    /** Also signs until the overlap is over; encrypted. */
    previousSecret: p.text().nullable().hidden(),
    previousSecretUntil: instant().nullable().hidden(),
    /** The first failure since the last success. */
    failingSince: instant().nullable().hidden(),
  },
});

/** An endpoint that receives events of some types. */
export class Webhook extends WebhookSchema.class implements EmitsEvents {
  /** Stops deliveries to the endpoint until it is activated again. */
  disable(reason: string) {
    this.active = false;
    this.disabledReason = reason;
  }

  /** Activates the endpoint; earlier failures do not count any more. */
  activate() {
    this.active = true;
    this.disabledReason = null;
    this.failingSince = null;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('disabledReason') && this.disabledReason !== null ? 'disabled' : undefined;
  }

  /** Replaces the signing secret; the old one stays valid for a while. */
  rotate(secret: string, previousUntil: Date) {
    this.previousSecret = this.secret;
    this.previousSecretUntil = previousUntil;
    this.secret = sealSecret(this.id, secret);
  }
}
WebhookSchema.setClass(Webhook);
