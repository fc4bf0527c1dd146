-- Counts the rows of an organization again, and adds each difference to its counter: after a copy, which fires no trigger,
-- or for certainty, also while others write. A statement reads rows and counters of one instant, and what is added
-- afterwards commutes with the changes of others. Returns the counters that differed, with the rows that they lacked.
create or replace function recount_organization(wanted text)
returns table (counter text, of_model text, lacking numeric)
language plpgsql as $$
declare
  models text[] := array(select id from pricing_model where organization_id = wanted order by id);
  each record;
begin
  for counter in
    select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = 'count_rows'::regproc and t.tgname = 'count_added' and c.relnamespace = current_schema()::regnamespace
    order by 1
  loop
    for of_model, lacking in execute format('select w.wanted, own.rows - counted.rows from unnest($1) w (wanted),
      lateral (select count(*) as rows from %1$I where pricing_model_id = w.wanted) own,
      lateral (select coalesce(sum(rows), 0) as rows from row_count where relation = %1$L and pricing_model_id = w.wanted) counted
      where own.rows <> counted.rows', counter) using models
    loop
      perform add_row_count(counter, of_model, lacking::bigint);
      return next;
    end loop;
  end loop;

  counter := 'statistic_day';
  for each in
    with own as (
      select pricing_model_id as model, 'mrr_' || kind as series, product_id, (at at time zone 'UTC')::date as day, currency,
        count(*) as count, sum(amount_after - amount_before) as amount
      from mrr_movement where pricing_model_id = any(models) group by 1, 2, 3, 4, 5
      union all
      select pricing_model_id, 'status_' || status, '', (at at time zone 'UTC')::date, '', sum(more), 0
      from subscription_status_change, lateral (values (status_after, 1), (status_before, -1)) as counted (status, more)
      where pricing_model_id = any(models) and status is not null group by 1, 2, 4
      union all
      select pricing_model_id, series, product_id, day, currency, -count, -amount
      from statistic_day where pricing_model_id = any(models)
    )
    select model, series, product_id, day, currency, sum(count)::int as count, sum(amount) as amount
    from own group by 1, 2, 3, 4, 5 having sum(count) <> 0 or sum(amount) <> 0
  loop
    perform add_statistic(each.model, each.series, each.product_id, each.currency, each.day::timestamp at time zone 'UTC',
      each.count, each.amount);
    of_model := each.model;
    lacking := each.count;
    return next;
  end loop;

  counter := 'resource_claim_count';
  for each in
    with own as (
      select pricing_model_id as model, subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, 1 as claims
      from resource_claim where pricing_model_id = any(models) and released_at is null
      union all
      select s.pricing_model_id, c.subscription_id, c.resource_id, c.expires_at, -c.claimed
      from resource_claim_count c join subscription s on s.id = c.subscription_id where s.pricing_model_id = any(models)
    )
    select model, subscription_id, resource_id, expires_at, sum(claims) as claims
    from own group by 1, 2, 3, 4 having sum(claims) <> 0
  loop
    update resource_claim_count set claimed = claimed + each.claims
      where (subscription_id, resource_id, expires_at) = (each.subscription_id, each.resource_id, each.expires_at);
    if not found then
      insert into resource_claim_count as counted (subscription_id, resource_id, expires_at, organization_id, claimed)
        values (each.subscription_id, each.resource_id, each.expires_at, wanted, each.claims)
        on conflict (subscription_id, resource_id, expires_at) do update set claimed = counted.claimed + excluded.claimed;
    end if;
    of_model := each.model;
    lacking := each.claims;
    return next;
  end loop;
end $$;
