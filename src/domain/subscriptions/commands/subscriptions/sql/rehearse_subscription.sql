-- Copies a subscription with all rows that billing changes into the tables of rehearsals; all of the customer where
-- none is wanted. Until the end of the transaction, names of tables mean those. Two rehearsals of one customer run one
-- after the other.
create or replace function rehearse_subscription(wanted text, of_customer text)
returns void
language plpgsql as $$
declare
  own text := current_schema();
  copies text := own || '_rehearsal';
  all_wanted text[];
  name text;
  condition text;
begin
  execute format('select array(select id from %I.subscription where customer_id = $1 and id = coalesce($2, id))', own)
    into all_wanted using of_customer, wanted;
  for name, condition in values
    ('customer', 'o.id = $2'),
    ('consolidated_invoice', 'o.customer_id = $2'),
    ('test_clock', 'o.id = (select c.test_clock_id from %1$I.customer c where c.id = $2)'),
    ('subscription', 'o.customer_id = $2'),
    ('discount_redemption', 'o.subscription_id = any ($1)'),
    ('subscription_item', 'o.subscription_id = any ($1)'),
    ('subscription_item_feature', 'o.subscription_id = any ($1)'),
    ('billing_period', 'o.subscription_id = any ($1)'),
    ('billing_period_item',
      'o.billing_period_id in (select p.id from %1$I.billing_period p where p.subscription_id = any ($1))'),
    ('billing_run', 'o.subscription_id = any ($1)'),
    ('invoice', 'o.subscription_id = any ($1)'),
    ('invoice_line_item', 'o.invoice_id in (select i.id from %1$I.invoice i where i.subscription_id = any ($1))'),
    ('one_off_charge', 'o.subscription_id = any ($1)'),
    ('subscription_phase', 'o.subscription_id = any ($1)'),
    ('prepaid_credit', 'o.customer_id = $2'),
    ('prepaid_credit_use', 'o.invoice_id in (select i.id from %1$I.invoice i where i.subscription_id = any ($1))'),
    ('usage_meter_balance', 'o.subscription_id = any ($1)'),
    ('usage_credit', 'o.subscription_id = any ($1)'),
    ('usage_credit_application',
      'o.credit_id in (select c.id from %1$I.usage_credit c where c.subscription_id = any ($1))'),
    ('owed_usage', 'o.balance_id in (select b.id from %1$I.usage_meter_balance b where b.subscription_id = any ($1))'),
    ('usage_total', 'o.balance_id in (select b.id from %1$I.usage_meter_balance b where b.subscription_id = any ($1))'),
    ('resource_claim_count', 'o.subscription_id = any ($1)'),
    ('mrr_change', 'o.subscription_id = any ($1)'),
    ('mrr_movement', 'o.customer_id = $2')
  loop
    execute format('insert into %2$I.%3$I select o.* from %1$I.%3$I o where ' || condition, own, copies, name)
      using all_wanted, of_customer;
  end loop;
  perform set_config('search_path', format('%I, %I', copies, own), true);
end $$;
