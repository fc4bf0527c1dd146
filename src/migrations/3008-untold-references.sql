alter table "payment" add "reference_untold" boolean not null default false;

alter table "refund" add "reference_untold" boolean not null default false;
