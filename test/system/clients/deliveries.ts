import { createDeliverer } from '#cron/deliverer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { fresh } from '../../support/factories.ts';
import { test as base } from './service.ts';

/** A test whose service sends its due webhooks on demand, also to this machine. */
export const test = base.extend('deliver', async ({ database }, { onCleanup }) => {
  const onFailure = (error: unknown) => {
    throw error;
  };
  const deliverer = createDeliverer(database.orm, { allowPrivate: true, onFailure });
  onCleanup(() => deliverer[Symbol.asyncDispose]());
  return async () => {
    await sequenceEvents(database.orm.em.fork());
    while ((await deliverer.sweep(new Date())) > 0) await deliverer.settled();
    await deliverer.settled();
  };
});

/** Registers an address for new resources. */
export const aHook = (session: Session, url: string) =>
  createWebhook(
    fresh(session),
    { webhook: { name: 'Hook', url, filterTypes: ['resource.created'] } },
    { allowPrivate: true },
  );
