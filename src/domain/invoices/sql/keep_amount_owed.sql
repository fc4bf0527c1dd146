-- Trigger function of invoices and payments: computes the amount that their customer owes on payable invoices. The
-- customer is locked first, so that the sum contains what transactions before it have committed.
create or replace function keep_amount_owed()
returns trigger
language plpgsql as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
  owed bigint;
begin
  perform 1 from customer where id = changed.customer_id for no key update;
  select coalesce(sum(total - credit_applied - amount_waived - coalesce(received.amount, 0)), 0) into owed
  from invoice left join lateral (
    select sum(amount - refunded_amount - credited_amount - reversed_amount) as amount from payment
    where invoice_id = invoice.id and payment.status in ('succeeded', 'refunded')) received on true
  where pricing_model_id = changed.pricing_model_id and customer_id = changed.customer_id
    and invoice.status in ${payableStatuses};
  update customer set amount_owed = owed where id = changed.customer_id and amount_owed <> owed;
  return null;
end $$;
