/**
 * A statement for a database whose rows come from another server: by a backup, or by replication. Events without a place
 * in their feed wait for the end of their transaction. Numbers of transactions of another server may be in the future
 * here. Each event gets a number in the past, which no other event of its object has.
 */
export const adoptEvents = `with foreign_events as (
    select id, row_number() over (partition by object_id order by position) as place
    from event where sequence is null and transaction_id > pg_current_xact_id()
  )
  update event e set transaction_id = f.place::text::xid8 from foreign_events f where f.id = e.id`;
