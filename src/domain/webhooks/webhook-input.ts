import { z } from 'zod';
import { type EventType, eventTypes } from '#domain/events/event-types.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { nameInput, webAddressInput } from '#domain/kernel/inputs.ts';
import { listInput } from '#domain/kernel/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isPublicHost } from './public-host.ts';

/** The fields of a webhook. */
export const webhookFields = {
  name: nameInput,
  url: webAddressInput.refine(
    (url) => isBare(url),
    'must not contain a user name or a password: verify the signature of deliveries instead',
  ),
  filterTypes: listInput(z.enum(eventTypes as [EventType, ...EventType[]]), 200),
  active: z.boolean().nullish(),
};

/** Credentials in an address would appear in lists, events and deliveries. */
const isBare = (url: string) => {
  const parsed = URL.parse(url);
  return !parsed || (parsed.username === '' && parsed.password === '');
};

/** The rule for addresses of webhooks. */
export interface AddressRule {
  /** Whether addresses that are not public are allowed. */
  readonly allowPrivate: boolean;
}

/** Refuses an address that deliveries would refuse, too. Errors: BAD_REQUEST. */
export function checkAddress(
  { livemode }: Session,
  url: string | null | undefined,
  { allowPrivate }: AddressRule,
) {
  if (url == null) return;
  const { protocol, hostname } = new URL(url);
  if (livemode && protocol !== 'https:') {
    throw invalid('INVALID', 'webhook.url', 'must be an https address in live mode');
  }
  if (!allowPrivate && !isPublicHost(hostname)) {
    throw invalid(
      'INVALID',
      'webhook.url',
      `must be a public address, and ${hostname} is not: start the service with WEBHOOK_ALLOW_PRIVATE=true to allow it`,
    );
  }
}
