-- The query that finds the texts with a part, besides a few others, among the entries of `search_grams`. A part of 1 or
-- 2 characters is the beginning of an entry.
create or replace function search_query(tenant text, part text)
returns tsquery
language sql immutable parallel safe as $$
  select string_agg(
    '''' || replace(replace(right(tenant, 6) || substr(translate(part, E'\x01', ' '), place, 3), '\', '\\'), '''', '''''') || ''''
      || case when length(part) < 3 then ':*' else '' end, ' & ')::tsquery
  from generate_series(1, greatest(length(part) - 2, 1)) place
$$;
