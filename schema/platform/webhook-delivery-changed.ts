import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { builder } from '../engine/builder.ts';

builder.subscriptionField('webhookDeliveryChanged', (t) =>
  t.field({
    type: WebhookDelivery,
    description:
      'Emits each delivery after its creation and after each attempt. Rapid changes of one delivery are merged. Errors: NOT_FOUND; SERVICE_UNAVAILABLE when changes may have been missed.',
    args: {
      webhookId: t.arg.id({ description: 'Emits only deliveries to this webhook.' }),
      id: t.arg.id({ description: 'Emits only this delivery.' }),
    },
    subscribe: async (_root, filter, { em, watchDeliveries }) => {
      if (filter.webhookId != null) await em.findOneOrFail(Webhook, filter.webhookId);
      if (filter.id != null) await em.findOneOrFail(WebhookDelivery, filter.id);
      return watchDeliveries(filter) as AsyncIterable<never>;
    },
    resolve: (changed, _args, { em }) =>
      em.findOneOrFail(WebhookDelivery, (changed as WebhookDelivery).id),
  }),
);
