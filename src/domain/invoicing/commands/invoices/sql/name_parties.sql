-- Trigger function: writes the seller and the customer into an invoice that is finalized, once.
create or replace function name_parties()
returns trigger
language plpgsql as $$
begin
  select jsonb_build_object(
      'seller', jsonb_build_object('name', coalesce(settings.legal_name, settings.name), 'address', settings.address,
        'taxIds', settings.tax_ids, 'logoId', settings.logo_id, 'bankAccount', settings.bank_account),
      'customer', jsonb_build_object('name', customer.name, 'email', customer.email,
        'address', customer.billing_address, 'taxIds', customer.tax_ids, 'buyerReference', customer.buyer_reference))
    into new.parties
    from customer
      join organization_settings settings
        on settings.organization_id = customer.organization_id and settings.livemode = customer.livemode
    where customer.id = new.customer_id;
  if new.parties is null then
    raise exception 'invoice % has no parties', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
