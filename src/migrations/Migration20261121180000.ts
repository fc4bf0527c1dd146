import { Migration } from '@mikro-orm/migrations';

/** One round trip gives numbers, says how far the feed goes, and whether anything new is wanted. */
export class Migration20261121180000 extends Migration {
  override up() {
    // Statements of their own, so that each sees what the one before has done. Without models all are wanted.
    this.addSql(`create function advance_feed(largest int, after bigint, types text[], models text[])
returns table (given int, last bigint, wanted boolean) language plpgsql as $$
begin
  given := sequence_events(largest);
  select h.sequence into last from event_head h where h.id = 1;
  wanted := last > after and (models is null or exists (
    select 1 from event e where e.sequence > after and e.sequence <= last
      and (e.pricing_model_id = any(models) or e.type = any(types))));
  return next;
end $$`);
  }
}
