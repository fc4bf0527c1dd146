alter table "product" add "add_on" boolean not null default false,
  add constraint "product_add_on" check (not (add_on and "default"));
