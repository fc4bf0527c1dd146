-- The MRR of a subscription from a product changes at an instant; one later than now is planned.
create table mrr_change (
  subscription_id varchar(255) not null, product_id varchar(255) not null, at timestamptz(3) not null,
  pricing_model_id varchar(255) not null, customer_id varchar(255) not null, currency varchar(3) not null,
  amount_before numeric not null, amount_after numeric not null,
  primary key (subscription_id, product_id, at),
  constraint mrr_change_range check ((amount_before >= 0) and (amount_after >= 0) and (amount_before <> amount_after))
);
create index mrr_change_customer on mrr_change (customer_id, currency, at);
alter table mrr_change add constraint mrr_change_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;

-- The same for all subscriptions of a customer, from one product, and from all of them (the empty text).
create table mrr_movement (
  customer_id varchar(255) not null, currency varchar(3) not null, product_id varchar(255) not null, at timestamptz(3) not null,
  pricing_model_id varchar(255) not null, kind text not null, amount_before numeric not null, amount_after numeric not null,
  primary key (customer_id, currency, product_id, at),
  constraint mrr_movement_kind_check check (kind in ('new', 'expansion', 'contraction', 'churn', 'reactivation')),
  constraint mrr_movement_range check ((amount_before >= 0) and (amount_after >= 0) and (amount_before <> amount_after))
);
create index mrr_movement_time on mrr_movement (pricing_model_id, at);
alter table mrr_movement add constraint mrr_movement_customer_id_foreign
  foreign key (customer_id) references customer (id) on delete cascade;

create table subscription_status_change (
  subscription_id varchar(255) not null, at timestamptz(3) not null, pricing_model_id varchar(255) not null,
  status_before text, status_after text not null,
  primary key (subscription_id, at)
);
alter table subscription_status_change add constraint subscription_status_change_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;

create table statistic_day (
  pricing_model_id varchar(255) not null, series varchar(255) not null, product_id varchar(255) not null, day date not null,
  currency varchar(3) not null, slot int not null, count bigint not null, amount numeric not null,
  primary key (pricing_model_id, series, product_id, day, currency, slot)
) with (fillfactor = 40);

create index payment_failed on payment (pricing_model_id, charge_date) where (status = 'failed');

-- Triggers need their functions, which are applied from their files after the migrations. Until then they are empty.
do $$
declare
  name text;
begin
  foreach name in array array['count_mrr', 'count_mrr_movement', 'count_status', 'count_status_change'] loop
    execute format('create function %I() returns trigger language plpgsql as %L', name, 'begin return new; end');
  end loop;
end $$;

create trigger mrr_added after insert on subscription_item for each row
  when (new.unit_price > 0) execute function count_mrr();
create trigger mrr_changed after update on subscription_item for each row
  when ((old.unit_price, old.quantity, old.price_id, old.added_date, old.expired_at)
    is distinct from (new.unit_price, new.quantity, new.price_id, new.added_date, new.expired_at))
  execute function count_mrr();
create trigger mrr_changed after update on subscription for each row
  when ((old.status, old."interval", old.interval_count, old.trial_end, old.is_free_plan, old.do_not_charge, old.adjustment_count)
    is distinct from (new.status, new."interval", new.interval_count, new.trial_end, new.is_free_plan, new.do_not_charge, new.adjustment_count)
    or (old.current_billing_period_start is distinct from new.current_billing_period_start
      and new.current_billing_period_start = new.trial_end))
  execute function count_mrr();

create trigger status_added after insert on subscription for each row execute function count_status();
create trigger status_changed after update on subscription for each row
  when (old.status <> new.status) execute function count_status();

create trigger statistic_added after insert on mrr_movement for each row execute function count_mrr_movement();
create trigger statistic_removed after delete on mrr_movement for each row execute function count_mrr_movement();
create trigger statistic_added after insert on subscription_status_change for each row execute function count_status_change();
create trigger statistic_changed after update on subscription_status_change for each row execute function count_status_change();
create trigger statistic_removed after delete on subscription_status_change for each row execute function count_status_change();
