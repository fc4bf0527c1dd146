alter table "checkout_session" add "stored_facts" jsonb null;
