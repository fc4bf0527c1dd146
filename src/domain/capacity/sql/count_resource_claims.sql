-- Trigger function: keeps the number of unreleased claims for each subscription, resource and expiry.
create or replace function count_resource_claims()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into resource_claim_count as counted (subscription_id, resource_id, expires_at, organization_id, claimed)
    select subscription_id, resource_id, coalesce(expired_at, 'infinity'), min(organization_id), count(*)
      from added where released_at is null group by 1, 2, 3
    on conflict (subscription_id, resource_id, expires_at) do update set claimed = counted.claimed + excluded.claimed;
  elsif tg_op = 'UPDATE' then
    with change as (
      select subscription_id, resource_id, expires_at, min(organization_id) as organization_id, sum(n) as n from (
        select subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, organization_id, 1 as n
          from added where released_at is null
        union all
        select subscription_id, resource_id, coalesce(expired_at, 'infinity'), organization_id, -1
          from removed where released_at is null) as moved
      group by 1, 2, 3 having sum(n) <> 0
    ), fewer as (
      update resource_claim_count as counted set claimed = counted.claimed + change.n from change
        where change.n < 0 and (counted.subscription_id, counted.resource_id, counted.expires_at)
          = (change.subscription_id, change.resource_id, change.expires_at)
    )
    insert into resource_claim_count as counted (subscription_id, resource_id, expires_at, organization_id, claimed)
    select subscription_id, resource_id, expires_at, organization_id, n from change where n > 0
    on conflict (subscription_id, resource_id, expires_at) do update set claimed = counted.claimed + excluded.claimed;
  else
    update resource_claim_count as counted set claimed = counted.claimed - deleted.n
      from (select subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, count(*) as n
              from removed where released_at is null group by 1, 2, 3) as deleted
      where (counted.subscription_id, counted.resource_id, counted.expires_at)
        = (deleted.subscription_id, deleted.resource_id, deleted.expires_at);
  end if;
  return null;
end $$;
