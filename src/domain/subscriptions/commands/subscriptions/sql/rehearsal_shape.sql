-- The columns, checks and unique indexes of a table as text; null when there is no such table.
create or replace function rehearsal_shape(of_schema text, of_table text)
returns text
stable
language sql as $$
  select string_agg(part, e'\n' order by part) from (
    select format('%s %s %s %s %s', row_number() over (order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attgenerated) as part
    from pg_attribute
    where attrelid = to_regclass(format('%I.%I', of_schema, of_table)) and attnum > 0 and not attisdropped
    union all
    select pg_get_constraintdef(oid) from pg_constraint
    where conrelid = to_regclass(format('%I.%I', of_schema, of_table)) and contype = 'c'
    union all
    -- Names, since a column of the table may have another number than that of its copy: dropped columns count.
    select (
      select string_agg(coalesce(attname, ''), ' ' order by place)
      from unnest(indkey::int2[]) with ordinality as key (number, place)
      left join pg_attribute on attrelid = indrelid and attnum = number
    ) from pg_index
    where indrelid = to_regclass(format('%I.%I', of_schema, of_table)) and indisunique
  ) shape
$$;
