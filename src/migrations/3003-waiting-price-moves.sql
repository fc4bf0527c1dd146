alter table "price_move" add "retry_at" timestamptz(3) null, add "problem" text null;
