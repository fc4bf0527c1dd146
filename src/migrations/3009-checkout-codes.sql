alter table "checkout_session" add "allow_discount_codes" boolean not null default true;
