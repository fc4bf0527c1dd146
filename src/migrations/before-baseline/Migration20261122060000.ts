import { Migration } from '@mikro-orm/migrations';

/**
 * Who acted, on every event. The functions that claim and release hand the actor through with the cause, as
 * `<type> <id> <cause>`, and the trigger takes the text apart: neither a request id nor a job name has a space.
 */
export class Migration20261122060000 extends Migration {
  override up() {
    this.addSql(
      `alter table "event" add "actor_type" varchar(255) null, add "actor_id" varchar(255) null`,
    );
    this.addSql(`create function split_origin() returns trigger language plpgsql as $$
declare
  origin constant text[] := string_to_array(new.cause_id, ' ');
begin
  new.actor_type := origin[1];
  new.actor_id := origin[2];
  new.cause_id := nullif(origin[3], '');
  return new;
end $$`);
    this.addSql(`create trigger origin before insert on event for each row
      when (new.cause_id like '% %') execute function split_origin()`);
  }
}
