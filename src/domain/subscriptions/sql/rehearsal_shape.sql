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
    select indkey::text from pg_index
    where indrelid = to_regclass(format('%I.%I', of_schema, of_table)) and indisunique
  ) shape
$$;
