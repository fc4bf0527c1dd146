import { createWebhook, createWebhookInput } from '#domain/webhooks/create-webhook.ts';
import {
  rotateWebhookSecret,
  rotateWebhookSecretInput,
} from '#domain/webhooks/rotate-webhook-secret.ts';
import { updateWebhook, updateWebhookInput } from '#domain/webhooks/update-webhook.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';
import { builder } from './engine/builder.ts';

const CreateWebhook = builder.inputType('CreateWebhookInput', {
  description: 'A new webhook.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name for people.' }),
    url: t.string({ required: true, description: 'An http or https address; https in live mode.' }),
    filterTypes: t.field({
      type: ['EventType'],
      required: true,
      description: 'The kinds of event that it is told of, 1 or more.',
    }),
    active: t.boolean({ description: 'Whether it is told of anything; true when absent.' }),
    pricingModelId: t.id({
      description: 'The pricing model of the API key, which is the default.',
    }),
  }),
});

const UpdateWebhook = builder.inputType('UpdateWebhookInput', {
  description: 'Changes to a webhook; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    name: t.string({ description: 'The name for people.' }),
    url: t.string({ description: 'An http or https address; https in live mode.' }),
    filterTypes: t.field({
      type: ['EventType'],
      description: 'The kinds of event that it is told of, 1 or more.',
    }),
    active: t.boolean({ description: 'Whether it is told of anything.' }),
  }),
});

const secretPayload = (name: string, description: string) =>
  builder.objectRef<{ webhook: Webhook; secret: string }>(name).implement({
    description,
    fields: (t) => ({
      webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }),
      secret: t.exposeString('secret', {
        description: '`whsec_…`: signs what is sent. It is in this answer only.',
      }),
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

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: CreateWebhookPayload,
    description:
      'Registers an endpoint. One address may be registered several times: each endpoint has its own secret and gets its own deliveries. Errors: BAD_REQUEST for an address that is not public, or not https in live mode.',
    args: { webhook: t.arg({ type: CreateWebhook, required: true, description: 'The webhook.' }) },
    validate: { schema: createWebhookInput },
    resolve: (_root, args, session) =>
      createWebhook(session, args, { allowPrivate: session.webhookAllowPrivate }),
  }),
  updateWebhook: t.field({
    type: Webhook,
    description:
      'Changes the address and the filter of an endpoint; `active: false` stops it. Errors: NOT_FOUND; BAD_REQUEST.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the webhook.' }),
      webhook: t.arg({ type: UpdateWebhook, required: true, description: 'The changes.' }),
    },
    validate: { schema: updateWebhookInput },
    resolve: (_root, args, session) =>
      updateWebhook(session, args, { allowPrivate: session.webhookAllowPrivate }),
  }),
  rotateWebhookSecret: t.field({
    type: RotateWebhookSecretPayload,
    description:
      'Gives a webhook a new signing secret; the old one signs beside it until the overlap is over. Errors: NOT_FOUND; BAD_REQUEST.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the webhook.' }),
      overlapSeconds: t.arg.int({
        description: 'How long both sign: a day (86400) when absent, 7 days at most.',
      }),
    },
    validate: { schema: rotateWebhookSecretInput },
    resolve: (_root, args, session) => rotateWebhookSecret(session, args),
  }),
}));
