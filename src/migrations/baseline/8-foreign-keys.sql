-- References. The composite ones to pricing_model_id keep rows inside their tenant.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'api_key', 'billing_period', 'billing_run', 'customer', 'event', 'feature', 'invoice', 'invoice_line_item',
    'payment', 'payment_method', 'price', 'product', 'product_feature', 'refund', 'reservation', 'resource',
    'resource_claim', 'subscription', 'subscription_item', 'subscription_item_feature', 'test_clock', 'usage_credit',
    'usage_meter', 'usage_meter_balance', 'webhook', 'webhook_delivery'
  ] loop
    execute format('alter table %I add constraint %I foreign key (pricing_model_id, organization_id, livemode)
      references pricing_model (id, organization_id, livemode)', tenant_table, tenant_table || '_tenant');
  end loop;
end $$;
alter table organization_settings add constraint organization_settings_organization
  foreign key (organization_id) references organization (id);
alter table pricing_model add constraint pricing_model_organization
  foreign key (organization_id) references organization (id);
alter table price add constraint price_product_id_foreign
  foreign key (product_id) references product (id) on delete restrict;
alter table price add constraint price_product_id_tenant
  foreign key (product_id, pricing_model_id) references product (id, pricing_model_id);
alter table price add constraint price_usage_meter_id_foreign
  foreign key (usage_meter_id) references usage_meter (id) on delete restrict;
alter table price add constraint price_usage_meter_id_tenant
  foreign key (usage_meter_id, pricing_model_id) references usage_meter (id, pricing_model_id);
alter table feature add constraint feature_resource_id_foreign
  foreign key (resource_id) references resource (id) on delete restrict;
alter table feature add constraint feature_resource_id_tenant
  foreign key (resource_id, pricing_model_id) references resource (id, pricing_model_id);
alter table feature add constraint feature_usage_meter_id_foreign
  foreign key (usage_meter_id) references usage_meter (id) on delete restrict;
alter table feature add constraint feature_usage_meter_id_tenant
  foreign key (usage_meter_id, pricing_model_id) references usage_meter (id, pricing_model_id);
alter table product_feature add constraint product_feature_feature_id_foreign
  foreign key (feature_id) references feature (id) on delete restrict;
alter table product_feature add constraint product_feature_feature_id_tenant
  foreign key (feature_id, pricing_model_id) references feature (id, pricing_model_id);
alter table product_feature add constraint product_feature_product_id_foreign
  foreign key (product_id) references product (id) on delete restrict;
alter table product_feature add constraint product_feature_product_id_tenant
  foreign key (product_id, pricing_model_id) references product (id, pricing_model_id);
alter table customer add constraint customer_test_clock_id_foreign
  foreign key (test_clock_id) references test_clock (id) on delete cascade;
alter table customer add constraint customer_test_clock_id_tenant
  foreign key (test_clock_id, pricing_model_id) references test_clock (id, pricing_model_id);
alter table payment_method add constraint payment_method_customer_id_foreign
  foreign key (customer_id) references customer (id) on delete cascade;
alter table payment_method add constraint payment_method_customer_id_tenant
  foreign key (customer_id, pricing_model_id) references customer (id, pricing_model_id);
alter table subscription add constraint subscription_backup_payment_method_id_foreign
  foreign key (backup_payment_method_id) references payment_method (id) on delete set null;
alter table subscription add constraint subscription_customer_id_foreign
  foreign key (customer_id) references customer (id) on delete cascade;
alter table subscription add constraint subscription_customer_id_tenant
  foreign key (customer_id, pricing_model_id) references customer (id, pricing_model_id);
alter table subscription add constraint subscription_default_payment_method_id_foreign
  foreign key (default_payment_method_id) references payment_method (id) on delete set null;
alter table subscription add constraint subscription_price_id_foreign
  foreign key (price_id) references price (id) on delete restrict;
alter table subscription add constraint subscription_price_id_tenant
  foreign key (price_id, pricing_model_id) references price (id, pricing_model_id);
alter table subscription_item add constraint subscription_item_price_id_foreign
  foreign key (price_id) references price (id) on delete restrict;
alter table subscription_item add constraint subscription_item_price_id_tenant
  foreign key (price_id, pricing_model_id) references price (id, pricing_model_id);
alter table subscription_item add constraint subscription_item_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table subscription_item add constraint subscription_item_subscription_id_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id);
alter table subscription_item_feature add constraint subscription_item_feature_feature_id_foreign
  foreign key (feature_id) references feature (id) on delete restrict;
alter table subscription_item_feature add constraint subscription_item_feature_feature_id_tenant
  foreign key (feature_id, pricing_model_id) references feature (id, pricing_model_id);
alter table subscription_item_feature add constraint subscription_item_feature_product_feature_id_foreign
  foreign key (product_feature_id) references product_feature (id) on delete set null;
alter table subscription_item_feature add constraint subscription_item_feature_subscription_item_id_foreign
  foreign key (subscription_item_id) references subscription_item (id) on delete cascade;
alter table subscription_item_feature add constraint subscription_item_feature_subscription_item_id_tenant
  foreign key (subscription_item_id, pricing_model_id) references subscription_item (id, pricing_model_id);
alter table billing_period add constraint billing_period_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table billing_period add constraint billing_period_subscription_id_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id);
alter table billing_period_item add constraint billing_period_item_billing_period_id_foreign
  foreign key (billing_period_id) references billing_period (id) on delete cascade;
alter table billing_run add constraint billing_run_billing_period_id_foreign
  foreign key (billing_period_id) references billing_period (id) on delete cascade;
alter table billing_run add constraint billing_run_billing_period_id_tenant
  foreign key (billing_period_id, pricing_model_id) references billing_period (id, pricing_model_id);
alter table billing_run add constraint billing_run_invoice_id_foreign
  foreign key (invoice_id) references invoice (id) on delete set null;
alter table billing_run add constraint billing_run_invoice_id_tenant
  foreign key (invoice_id, pricing_model_id) references invoice (id, pricing_model_id);
alter table billing_run add constraint billing_run_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table billing_run add constraint billing_run_subscription_id_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id);
alter table invoice add constraint invoice_billing_period_id_foreign
  foreign key (billing_period_id) references billing_period (id) on delete cascade;
alter table invoice add constraint invoice_customer_id_foreign
  foreign key (customer_id) references customer (id) on delete cascade;
alter table invoice add constraint invoice_customer_id_tenant
  foreign key (customer_id, pricing_model_id) references customer (id, pricing_model_id);
alter table invoice add constraint invoice_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table invoice add constraint invoice_subscription_id_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id);
alter table invoice_line_item add constraint invoice_line_item_invoice_id_foreign
  foreign key (invoice_id) references invoice (id) on delete cascade;
alter table invoice_line_item add constraint invoice_line_item_invoice_id_tenant
  foreign key (invoice_id, pricing_model_id) references invoice (id, pricing_model_id);
alter table invoice_line_item add constraint invoice_line_item_price_id_foreign
  foreign key (price_id) references price (id) on delete restrict;
alter table payment add constraint payment_invoice_id_foreign
  foreign key (invoice_id) references invoice (id) on delete cascade;
alter table payment add constraint payment_invoice_id_tenant
  foreign key (invoice_id, pricing_model_id) references invoice (id, pricing_model_id);
alter table payment add constraint payment_payment_method_id_foreign
  foreign key (payment_method_id) references payment_method (id) on delete set null;
alter table refund add constraint refund_payment_id_foreign
  foreign key (payment_id) references payment (id) on delete cascade;
alter table refund add constraint refund_payment_id_tenant
  foreign key (payment_id, pricing_model_id) references payment (id, pricing_model_id);
alter table usage_meter_balance add constraint usage_meter_balance_subscription_id_foreign
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table usage_meter_balance add constraint usage_meter_balance_subscription_id_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id);
alter table usage_meter_balance add constraint usage_meter_balance_usage_meter_id_foreign
  foreign key (usage_meter_id) references usage_meter (id) on delete restrict;
alter table usage_meter_balance add constraint usage_meter_balance_usage_meter_id_tenant
  foreign key (usage_meter_id, pricing_model_id) references usage_meter (id, pricing_model_id);
alter table usage_hour add constraint usage_hour_balance_id_foreign
  foreign key (balance_id) references usage_meter_balance (id) on delete cascade;
alter table usage_credit add constraint usage_credit_balance_id_foreign
  foreign key (balance_id) references usage_meter_balance (id) on delete cascade;
alter table usage_credit add constraint usage_credit_balance_id_tenant
  foreign key (balance_id, pricing_model_id) references usage_meter_balance (id, pricing_model_id);
alter table usage_credit_application add constraint usage_credit_application_credit_id_foreign
  foreign key (credit_id) references usage_credit (id) on delete cascade;
alter table owed_usage add constraint owed_usage_balance_id_foreign
  foreign key (balance_id) references usage_meter_balance (id) on delete cascade;
alter table owed_usage add constraint owed_usage_invoice_line_item_id_foreign
  foreign key (invoice_line_item_id) references invoice_line_item (id);
alter table owed_usage add constraint owed_usage_undone_line_item_id_foreign
  foreign key (undone_line_item_id) references invoice_line_item (id);
alter table ledger_transaction add constraint ledger_transaction_balance_id_foreign
  foreign key (balance_id) references usage_meter_balance (id) on delete cascade;
alter table ledger_transaction add constraint ledger_transaction_balance_id_tenant
  foreign key (balance_id, pricing_model_id) references usage_meter_balance (id, pricing_model_id);
alter table usage_total add constraint usage_total_balance_id_foreign
  foreign key (balance_id) references usage_meter_balance (id) on delete cascade;
alter table resource_claim add constraint resource_claim_resource_id_tenant
  foreign key (resource_id, pricing_model_id) references resource (id, pricing_model_id);
alter table resource_claim add constraint resource_claim_subscription_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id) on delete cascade;
alter table resource_claim_count add constraint resource_claim_count_owner
  foreign key (subscription_id) references subscription (id) on delete cascade;
alter table reservation add constraint reservation_balance_id_tenant
  foreign key (balance_id, pricing_model_id) references usage_meter_balance (id, pricing_model_id);
alter table reservation add constraint reservation_resource_id_tenant
  foreign key (resource_id, pricing_model_id) references resource (id, pricing_model_id);
alter table reservation add constraint reservation_subscription_tenant
  foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id) on delete cascade;
alter table webhook_delivery add constraint webhook_delivery_event_owner
  foreign key (event_id) references event (id) on delete cascade;
alter table webhook_delivery add constraint webhook_delivery_webhook_id_tenant
  foreign key (webhook_id, pricing_model_id) references webhook (id, pricing_model_id);
