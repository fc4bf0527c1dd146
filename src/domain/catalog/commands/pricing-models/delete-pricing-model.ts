import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { deleteUsageEvents } from '#domain/recording/delete-usage-events.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** Deletes the records of the sandbox, which payments refer to only by their keys. */
const ofSandbox = [
  `with charged as (select idempotency_key as key from payment where pricing_model_id = $1),
     refunds as (delete from sandbox_refund where charge_key in (select key from charged)),
     disputes as (delete from sandbox_dispute where charge_key in (select key from charged)),
     notices as (delete from sandbox_notice where charge_key in (select key from charged))
   delete from sandbox_charge where idempotency_key in (select key from charged)`,
  'delete from sandbox_page where pricing_model_id = $1',
];

/** The causes of its events, also of its own creation, which another pricing model may have requested. */
const causes = `delete from cause where pricing_model_id = $1 or (
   id in (select cause from event where pricing_model_id = $1)
   and not exists (select from event other where other.cause = cause.id and other.pricing_model_id <> $1))`;

/** The tables that do not end with the customers, those that refer to others first. */
const tables = [
  'customer',
  'test_clock',
  'checkout_session',
  'webhook',
  'customer_token',
  'api_key',
  'idempotency_key',
  'price_move',
  'alert_rule',
  'processor_difference',
  'product_feature',
  'price',
  'feature',
  'product',
  'resource',
  'usage_meter',
  'usage_event_inbox',
  'usage_stream_model',
  'usage_refusal',
  'discount',
  'tax_rate',
  'revenue_day',
  'statistic_day',
  'mail',
  'event',
  'row_count',
];

/**
 * Deletes the session's pricing model with everything in it: customers, catalog, keys, statistics and its feed. Feeds of
 * other pricing models stay as they are. Errors: NOT_FOUND; BAD_REQUEST in live mode, and for the default one.
 */
export function deletePricingModel(session: Session): Promise<PricingModel> {
  return command(session, async (session) => {
    const { em, pricingModelId } = session;
    // Every new row of the pricing model refers to it, so that it waits for this lock.
    const model = await em.findOneOrFail(PricingModel, pricingModelId, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (model.livemode || model.isDefault) {
      const why = model.livemode ? 'one of live mode' : 'the default one';
      throw new DomainError('BAD_REQUEST', `Pricing model ${model.id} is ${why}: it stays`);
    }
    const customers = await em.find(Customer, {}, { fields: ['id'], orderBy: { id: 'asc' } });
    if (customers.length > 0) {
      const ids = customers.map(({ id }) => id);
      await deleteUsageEvents(session, ids);
    }
    const ofTables = tables.map((table) => `delete from ${table} where pricing_model_id = $1`);
    for (const sql of [...ofSandbox, causes, ...ofTables]) {
      await statement(em, undefined, sql, [pricingModelId]);
    }
    await statement(em, undefined, 'delete from pricing_model where id = $1', [pricingModelId]);
    return model;
  });
}
