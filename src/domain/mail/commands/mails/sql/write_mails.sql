-- Writes the mails about the events of a feed after a sequence, of the kinds that the organization has switched on in
-- this mode. It is part of the transaction that gives the events their sequences, so each event has its mail once.
create or replace function write_mails(of_organization text, of_mode boolean, after bigint, upto bigint)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  wanted text[];
begin
  select kinds into wanted from mail_settings where organization_id = of_organization and livemode = of_mode;
  if coalesce(cardinality(wanted), 0) = 0 then return; end if;
  insert into mail (id, created_at, updated_at, livemode, organization_id, pricing_model_id, kind, event_id, sequence,
    occurred_at, customer_id, object_id, next_attempt_at)
  -- The members of a document that are sent or paid in one transaction have one mail.
  select mail_id(about.kind, coalesce((select i.consolidated_invoice_id || ' ' || e.transaction_id
      from invoice i where i.id = e.object_id and i.consolidated_invoice_id is not null), e.id)), now(), now(), e.livemode, e.organization_id, e.pricing_model_id, about.kind, e.id,
    e.sequence, e.occurred_at, e.customer_id, e.object_id, now()
  from event e
  cross join lateral (select case
    when e.type = 'alert.triggered' then 'alert'
    when e.type = 'payment_method.expiring' then 'card_expiring'
    when e.type = 'subscription.trial_ending' then 'trial_ending'
    when e.type = 'subscription.renewal_upcoming' then 'renewal_upcoming'
    when e.type = 'prepaid_credit.expiring' then 'prepaid_expiring'
    -- Where the customer was present at the charge, the page has shown the refusal. A charge has one mail.
    when e.type in ('payment.failed', 'payment.created') then case
      when e.data ->> 'status' = 'failed' and e.data ->> 'failureKind' is distinct from 'configuration'
        and exists (select 1 from payment p where p.id = e.object_id and p.off_session
          and p.charged_with_id is null) then 'payment_failed' end
    when e.data ->> 'status' = 'paid' then case
      when (e.data ->> 'total')::bigint > 0 and (e.previous_attributes is null
        or e.previous_attributes ->> 'status' not in ('paid', 'refunded', 'partially_refunded')) then 'receipt' end
    when e.data ->> 'sentAt' is not null and (e.previous_attributes is null
      or (jsonb_exists(e.previous_attributes, 'sentAt') and e.previous_attributes ->> 'sentAt' is null)) then 'invoice'
    end as kind) as about
  where e.organization_id = of_organization and e.livemode = of_mode and e.sequence > after and e.sequence <= upto
    and e.type in ('invoice.created', 'invoice.updated', 'invoice.sent', 'invoice.paid', 'payment.created',
      'payment.failed', 'alert.triggered', 'payment_method.expiring', 'subscription.trial_ending',
      'subscription.renewal_upcoming', 'prepaid_credit.expiring')
    and e.customer_id is not null and about.kind = any(wanted)
  order by e.sequence
  on conflict do nothing;
end $$;
