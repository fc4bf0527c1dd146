import type { MikroORM } from '@mikro-orm/postgresql';
import { SpanKind } from '@opentelemetry/api';
import { inSpan, traceHeaders } from '#domain/kernel/in-span.ts';
import { openSession } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryKind,
} from '#domain/platform/commands/webhook-deliveries/claim-deliveries.ts';
import { recordAttempt } from '#domain/platform/commands/webhook-deliveries/record-attempt.ts';
import { webhookMessage } from '#domain/platform/commands/webhook-deliveries/webhook-message.ts';
import { sendWebhook } from './send-webhook.ts';
import { untilStored } from './until-stored.ts';

/** How long the result of a delivery is tried to be stored; without it the delivery is repeated. */
const patienceMilliseconds = 60_000;

/** The settings of a process that sends webhooks. */
export interface DelivererOptions {
  /** Whether endpoints may be at addresses that are not public. */
  readonly allowPrivate: boolean;
  readonly onFailure: (error: unknown) => void;
}

export interface Deliverer extends AsyncDisposable {
  /** Starts the deliveries that are due at an instant, of one kind or of both; returns how many there were. */
  sweep(now: Date, kind?: DeliveryKind): Promise<number>;
  /** Signals that deliveries may have become due; many calls at once lead to one sweep. */
  wake(): void;
  /** Resolves when all started deliveries are done. */
  settled(): Promise<void>;
}

/** Sends due deliveries. A slow endpoint never delays other deliveries. */
export function createDeliverer(
  orm: MikroORM,
  { allowPrivate, onFailure }: DelivererOptions,
): Deliverer {
  const onTheirWay = new Set<Promise<void>>();
  let looking: Promise<unknown> | undefined;
  let again = false;
  let closed = false;

  return {
    sweep,
    wake,
    settled,
    async [Symbol.asyncDispose]() {
      closed = true;
      await settled();
    },
  };

  async function sweep(now: Date, kind?: DeliveryKind): Promise<number> {
    for (let started = 0; ; ) {
      if (closed) return started;
      // Many rounds take long, and each claim must start from the present.
      const instant = await notBefore(now);
      const { claimed, more } = await claimDeliveries(orm.em.fork(), instant, kind);
      for (const delivery of claimed) start(delivery, instant);
      started += claimed.length;
      if (!more) return started;
    }
  }

  function wake() {
    again = true;
    looking ??= look().finally(() => {
      looking = undefined;
      if (again && !closed) wake();
    });
  }

  async function look() {
    while (again && !closed) {
      again = false;
      await presentOf(orm.em).then(sweep).catch(onFailure);
    }
  }

  async function settled() {
    while (looking || onTheirWay.size > 0) await Promise.all([looking, ...onTheirWay]);
  }

  function start(delivery: ClaimedDelivery, due: Date) {
    const way = deliver(delivery, due)
      .catch(onFailure)
      .finally(() => {
        onTheirWay.delete(way);
        // Its endpoint has a free slot now, and deliveries behind it may be due.
        wake();
      });
    onTheirWay.add(way);
  }

  /** The present by the database's clock, by which other processes claim deliveries, or a later instant. */
  async function notBefore(instant: Date): Promise<Date> {
    const present = await presentOf(orm.em);
    return present > instant ? present : instant;
  }

  async function deliver(delivery: ClaimedDelivery, due: Date) {
    const { livemode, organizationId, pricingModelId } = delivery;
    const message = webhookMessage(delivery, await presentOf(orm.em));
    const attributes = {
      'messaging.message.id': delivery.event.id,
      'tollgate.webhook.id': delivery.webhookId,
    };
    const facts = { kind: SpanKind.PRODUCER, attributes };
    const outcome = await inSpan('send webhook', facts, () =>
      sendWebhook(
        { ...delivery, allowPrivate },
        { ...message, headers: { ...message.headers, ...traceHeaders() } },
      ),
    );
    // A sweep may be for an instant ahead of the clock; its results are not dated before that
    // instant.
    const now = await notBefore(due);
    const session = openSession(orm.em, {
      organizationId,
      livemode,
      pricingModelId,
      keyType: 'secret',
      causeId: 'deliver-webhooks',
      subjectId: delivery.id,
      now,
    });
    await untilStored({ milliseconds: patienceMilliseconds, isOver: () => closed }, () =>
      recordAttempt(session, delivery, outcome),
    );
  }
}
