import { Migration } from '@mikro-orm/migrations';

/**
 * Several calls that claim or release in one transaction, each as if it were by itself. None waits for a
 * subscription that somebody else holds, or for a clock: such a call is left to be carried out alone, so no
 * caller waits for what another one waits for, and the calls need no order.
 */
export class Migration20261121181000 extends Migration {
  override up() {
    this.addSql(`create function change_claims(calls jsonb)
returns table (outcome text, detail text, resource text, capacity bigint, claimed bigint, reserved bigint,
  needed bigint, claims jsonb) language plpgsql as $$
declare
  call record;
begin
  for call in select * from jsonb_to_recordset(calls) as c(verb text, subscription text, model text, slug text,
      now timestamptz, quantity bigint, names jsonb, ids jsonb, metadata jsonb, largest bigint, cause text)
  loop
    perform from subscription s where s.id = call.subscription and s.pricing_model_id = call.model
      and s.test_clock_id is null for no key update skip locked;
    if not found then
      return query select 'alone', null, null, null::bigint, null::bigint, null::bigint, null::bigint, null::jsonb;
    elsif call.verb = 'claim' then
      return query select * from claim_resource(call.subscription, call.model, call.slug, call.now, call.quantity,
        call.names, call.metadata, 0, call.largest, call.cause);
    else
      return query select r.outcome, r.detail, r.resource, r.capacity, r.claimed, r.reserved, null::bigint, r.claims
        from release_resource(call.subscription, call.model, call.slug, call.now, call.quantity, call.names,
          call.ids, call.largest, call.cause) as r;
    end if;
  end loop;
end $$`);
  }
}
