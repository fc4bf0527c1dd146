import { z } from 'zod';
import { nameInput, webAddressInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { isBareAddress } from '#domain/kernel/security/receiving-address.ts';
import { type EventType, eventTypes } from '#domain/model/platform/event-types.ts';

/** The fields of a webhook. */
export const webhookFields = {
  name: nameInput,
  url: webAddressInput.refine(
    (url) => isBareAddress(url),
    'must not contain a user name or a password: verify the signature of deliveries instead',
  ),
  filterTypes: listInput(z.enum(eventTypes as [EventType, ...EventType[]]), 200),
  active: z.boolean().nullish(),
};
