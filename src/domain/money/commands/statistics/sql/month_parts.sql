-- The parts of a month, of 84, that a price for a unit counts for: a year has 12 months and 365 days.
create or replace function month_parts(unit text)
returns int
language sql immutable as $$
  select case unit when 'day' then 2555 when 'week' then 365 when 'month' then 84 when 'year' then 7 end
$$;
