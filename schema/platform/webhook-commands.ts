import { Webhook } from '#domain/model/platform/webhook.ts';
import {
  createWebhook,
  createWebhookInput,
} from '#domain/platform/commands/webhooks/create-webhook.ts';
import {
  deleteWebhook,
  deleteWebhookInput,
} from '#domain/platform/commands/webhooks/delete-webhook.ts';
import {
  rotateWebhookSecret,
  rotateWebhookSecretInput,
} from '#domain/platform/commands/webhooks/rotate-webhook-secret.ts';
import {
  updateWebhook,
  updateWebhookInput,
} from '#domain/platform/commands/webhooks/update-webhook.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input, object } from '../engine/types.ts';

const CreateWebhook = input('CreateWebhookInput', {
  description: 'A new webhook.',
  fields: {
    name: text('The display name.'),
    url: text('The http or https URL of the endpoint; live mode requires https.'),
    filterTypes: of(['EventType'], 'The event types to deliver, 1 or more.'),
    active: nullable.flag('Whether the endpoint receives events; true when absent.'),
    pricingModelId: nullable.id('The API key’s pricing model, which is the default.'),
  },
});

const UpdateWebhook = input('UpdateWebhookInput', {
  description: 'Changes to a webhook; absent fields do not change.',
  fields: {
    id: repeatedId,
    name: nullable.text('The display name.'),
    url: nullable.text('The http or https URL of the endpoint; live mode requires https.'),
    filterTypes: nullable.of(['EventType'], 'The event types to deliver, 1 or more.'),
    active: nullable.flag('Whether the endpoint receives events.'),
  },
});

const secretPayload = (name: string, description: string) =>
  object<{ webhook: Webhook; secret: string }>(name)({
    description,
    fields: () => ({
      webhook: of(Webhook, 'The webhook.'),
      secret: text('The signing secret, `whsec_…`. Only this response contains it.'),
    }),
  });

const CreateWebhookPayload = secretPayload(
  'CreateWebhookPayload',
  'A new webhook and its signing secret.',
);

const RotateWebhookSecretPayload = secretPayload(
  'RotateWebhookSecretPayload',
  'A webhook and its new signing secret.',
);

mutation('createWebhook', {
  returns: CreateWebhookPayload,
  description:
    'Registers a webhook. One URL may be registered several times; each webhook has its own secret and receives its own deliveries. Errors: BAD_REQUEST for a URL that is not public, or not https in live mode.',
  args: { webhook: of(CreateWebhook, 'The webhook.') },
  input: createWebhookInput,
  command: (session, args) =>
    createWebhook(session, args, { allowPrivate: session.webhookAllowPrivate }),
});

mutation('updateWebhook', {
  returns: [Webhook, 'The changed webhook.'],
  description:
    'Changes the URL and the event types of a webhook; `active: false` stops it. Errors: NOT_FOUND; BAD_REQUEST for a URL as in `createWebhook`.',
  args: {
    id: id('The id of the webhook.'),
    webhook: of(UpdateWebhook, 'The changes.'),
    expectedVersion,
  },
  input: updateWebhookInput,
  command: (session, args) =>
    updateWebhook(session, args, { allowPrivate: session.webhookAllowPrivate }),
});

mutation('deleteWebhook', {
  returns: [Webhook, 'The deleted webhook.'],
  description:
    'Deletes a webhook with its deliveries; pending ones are not sent. Emits webhook.deleted to the other webhooks. Errors: NOT_FOUND.',
  args: { id: id('The id of the webhook.') },
  input: deleteWebhookInput,
  command: deleteWebhook,
});

mutation('rotateWebhookSecret', {
  returns: RotateWebhookSecretPayload,
  description:
    'Creates a new signing secret for a webhook. The old secret signs as well until the overlap ends. Errors: NOT_FOUND; BAD_REQUEST.',
  args: {
    id: id('The id of the webhook.'),
    overlapSeconds: nullable.int(
      'The time for which both secrets sign, at most 604800 seconds; 86400 when absent.',
    ),
  },
  input: rotateWebhookSecretInput,
  command: rotateWebhookSecret,
});
