-- Whether a name is the derived one, which ended with the first quantity; a long name was cut before that. */
-- const isDerived = (name: string, price: string) => `${name} ~ ' x [0-9]+$' and exists (select from price p
-- left join product d on d.id = p.product_id where p.id = ${price} and ( ${bare(name)} = coalesce(p.name,
-- d.name) or ${name} ~ '… x [0-9]+$' and starts_with(coalesce(p.name, d.name), rtrim(${bare(name)}, '…'))))`;
-- /** Names of items have no quantity, which is a column of its own and changes. Invoices stay as they were
-- sent.
update subscription o set name = regexp_replace(o.name, ' x [0-9]+$', '') where canceled_at is null and o.name ~ ' x [0-9]+$'
  and exists (select from price p left join product d on d.id = p.product_id where p.id = o.price_id and (
  regexp_replace(o.name, ' x [0-9]+$', '') = coalesce(p.name, d.name)
  or o.name ~ '… x [0-9]+$' and starts_with(coalesce(p.name, d.name), rtrim(regexp_replace(o.name, ' x [0-9]+$', ''), '…'))));

update billing_period_item o set name = regexp_replace(o.name, ' x [0-9]+$', '') where exists (select from billing_period b where b.id = o.billing_period_id and b.status not in ('completed', 'canceled')) and o.name ~ ' x [0-9]+$'
  and exists (select from price p left join product d on d.id = p.product_id where p.id = o.price_id and (
  regexp_replace(o.name, ' x [0-9]+$', '') = coalesce(p.name, d.name)
  or o.name ~ '… x [0-9]+$' and starts_with(coalesce(p.name, d.name), rtrim(regexp_replace(o.name, ' x [0-9]+$', ''), '…'))));

update subscription_item o set name = regexp_replace(o.name, ' x [0-9]+$', '') where true and o.name ~ ' x [0-9]+$'
  and exists (select from price p left join product d on d.id = p.product_id where p.id = o.price_id and (
  regexp_replace(o.name, ' x [0-9]+$', '') = coalesce(p.name, d.name)
  or o.name ~ '… x [0-9]+$' and starts_with(coalesce(p.name, d.name), rtrim(regexp_replace(o.name, ' x [0-9]+$', ''), '…'))));
