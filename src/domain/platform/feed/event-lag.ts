/**
 * A statement for the age of the oldest event, of all organizations, that has no place in its feed yet. The result is
 * `lag` in seconds, 0 without such an event.
 */
export const eventLag = `select coalesce(greatest(extract(epoch from now() - min(oldest.recorded_at)), 0), 0)::float8 as lag
  from unsequenced_feeds() f cross join lateral (
    select e.recorded_at from event e
    where e.organization_id = f.organization_id and e.livemode = f.livemode and e.sequence is null
    order by e.position limit 1) as oldest`;
