import { z } from 'zod';
import { invalid } from '../errors.ts';
import { type EventType, eventTypes } from '../events/event-types.ts';
import { nameInput, webAddressInput } from '../inputs.ts';
import { listInput } from '../list-input.ts';
import type { Session } from '../session.ts';

/** What a webhook consists of (specification, Webhook). */
export const webhookFields = {
  name: nameInput,
  url: webAddressInput.refine(
    (url) => isBare(url),
    'must not contain a user name or a password: check the signature of what is sent instead',
  ),
  filterTypes: listInput(z.enum(eventTypes as [EventType, ...EventType[]]), 200, 1),
  active: z.boolean().nullish(),
};

/** A name or a password in an address would be shown in lists, events and deliveries. */
const isBare = (url: string) => {
  const parsed = URL.parse(url);
  return !parsed || (parsed.username === '' && parsed.password === '');
};

/** What live customers do is not sent over an open line. */
export function checkAddress({ livemode }: Session, url: string | null | undefined) {
  if (livemode && url != null && new URL(url).protocol !== 'https:') {
    throw invalid('webhook.url', 'must be an https address in live mode');
  }
}
