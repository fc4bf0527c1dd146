-- The entries of a text in a search index: every 3 characters that follow each other, and the shorter ends of the text.
-- The end of the pricing model's id in front lets a search read its own tenant. Indexes contain the results, so another
-- definition needs a migration that rebuilds them. Three passes cut the text from its characters 1, 2 and 3, which takes
-- a third of the time of one `substr` for each character. In PL/pgSQL the planner keeps it a call, and avoids it for each row.
create or replace function search_grams(tenant text, content text)
returns tsvector
language plpgsql immutable parallel safe cost 100 as $$
begin
  return array_to_tsvector(string_to_array(
    right(tenant, 6) || regexp_replace(translate(content, E'\x01', ' '), '(...)', E'\\1\x01' || right(tenant, 6), 'g') || E'\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\x01', ' '), 2), '(...)', E'\\1\x01' || right(tenant, 6), 'g') || E'\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\x01', ' '), 3), '(...)', E'\\1\x01' || right(tenant, 6), 'g'), E'\x01'));
end $$;
