-- A refund that had succeeded may fail after all: the refunded amount decreases, and nothing else is undone.
drop trigger payment_kept on payment;
create trigger payment_kept before update on payment for each row
  when ((old.status in ('failed', 'canceled') and new.status <> old.status)
    or (old.status = 'refunded' and new.status not in ('refunded', 'succeeded'))
    or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded'))
    or (old.status = 'refunded' and new.status = 'succeeded' and new.refunded_amount >= old.refunded_amount)
    or (old.amount, old.currency, old.invoice_id, old.idempotency_key)
      is distinct from (new.amount, new.currency, new.invoice_id, new.idempotency_key))
  execute function keep_payment();

-- What a lost dispute takes away counts like a refund.
drop trigger revenue_changed on payment;
create trigger revenue_changed after update on payment for each row
  when (old.status <> new.status or old.refunded_amount <> new.refunded_amount
    or old.reversed_amount <> new.reversed_amount) execute function count_paid();
