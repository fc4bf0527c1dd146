import type { MikroORM } from '@mikro-orm/postgresql';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { openSession } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Organization } from '#domain/model/platform/organization.ts';

export const begin = new Date('2026-01-31T10:00:00Z');
export const boundary = new Date('2026-02-28T10:00:00Z');

/** The tenant and the price of the subscriptions. */
export interface Plan {
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly priceId: string;
}

/** A monthly product of the database's one organization. */
export async function aPlan(orm: MikroORM): Promise<Plan> {
  const em = orm.em.fork();
  const [organization] = await em.findAll(Organization);
  const [pricingModel] = await em.find(PricingModel, {}, { filters: { tenant: false } });
  if (!organization || !pricingModel) throw new Error('The database is empty');
  const tenant = { organizationId: organization.id, pricingModelId: pricingModel.id };
  const session = openSession(orm.em, {
    ...tenant,
    livemode: false,
    keyType: 'secret',
    now: begin,
  });
  const product = await createProduct(session, {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month' },
  });
  const [price] = await product.prices.loadItems();
  if (!price) throw new Error('The product has no price');
  return { ...tenant, priceId: price.id };
}

let customers = 0;

/** Adds customers who pay and whose first month ends at the boundary; their ids begin with `batch`. */
export async function addDueSubscriptions(
  orm: MikroORM,
  { organizationId, pricingModelId, priceId }: Plan,
  batch: string,
  count: number,
) {
  const row = `created_at, updated_at, version, livemode, organization_id, pricing_model_id`;
  const values = `'${begin.toISOString()}'::timestamptz, '${begin.toISOString()}'::timestamptz, 1, false, '${organizationId}', '${pricingModelId}'`;
  const add = (table: string, prefix: string, columns: string, selected: string) =>
    orm.em.execute(
      `insert into ${table} (id, ${row}, ${columns})
       select '${prefix}_${batch}_' || n, ${values}, ${selected} from generate_series(1, ${count}) n`,
    );
  const of = (prefix: string) => `'${prefix}_${batch}_' || n`;
  const [from, to] = [begin, boundary].map((instant) => `'${instant.toISOString()}'::timestamptz`);
  await add(
    'customer',
    'cust',
    'email, name, invoice_number_base, external_id, archived, currency',
    `'ada@example.com', 'Ada', lpad(upper(to_hex(${customers} + n)), 7, '0'), ${of('external')}, false, 'USD'`,
  );
  await add(
    'payment_method',
    'pm',
    'customer_id, type, "default", billing_details, payment_method_data, token',
    `${of('cust')}, 'card', true, '{}', '{}', 'sandbox_success'`,
  );
  await add(
    'subscription',
    'sub',
    `start_date, customer_id, price_id, status, default_payment_method_id, is_free_plan, do_not_charge,
     run_billing_at_period_start, renews, "interval", interval_count, name, current_billing_period_start,
     current_billing_period_end, billing_cycle_anchor_date, sole, transition_due_at, currency`,
    `${from}, ${of('cust')}, '${priceId}', 'active', ${of('pm')}, false, false, true, true, 'month', 1,
     'Pro', ${from}, ${to}, ${from}, true, ${to}, 'USD'`,
  );
  await add(
    'subscription_item',
    'si',
    'subscription_id, name, added_date, price_id, unit_price, quantity, type, manually_created, customer_id',
    `${of('sub')}, 'Pro', ${from}, '${priceId}', 1000, 1, 'static', false, ${of('cust')}`,
  );
  await add(
    'billing_period',
    'billing_period',
    'subscription_id, start_date, end_date, status, trial_period, customer_id',
    `${of('sub')}, ${from}, ${to}, 'active', false, ${of('cust')}`,
  );
  await orm.em.execute(
    `insert into billing_period_item (id, organization_id, billing_period_id, position, name, description, unit_price,
       quantity, price_id, subscription_item_id)
     select 'billing_period_item_${batch}_' || n, '${organizationId}', ${of('billing_period')}, 0, 'Pro', '', 1000, 1,
       '${priceId}', ${of('si')} from generate_series(1, ${count}) n`,
  );
  customers += count;
  await orm.em.execute('analyze');
}
