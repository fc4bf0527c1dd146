import { Migration } from '@mikro-orm/migrations';

/** In each function, what is there and what takes its place; the rest of it stays as it is. */
const changes = [
  [
    'claim_resource',
    `when held.due_at <= instant`,
    `when held.status = 'incomplete' then 'incomplete' when held.due_at <= instant`,
  ],
  [
    'change_claims',
    `and s.status not in ('canceled', 'incomplete_expired')`,
    `and s.status not in ('incomplete', 'canceled', 'incomplete_expired')`,
  ],
] as const;

/** An incomplete subscription grants nothing before its first payment, so nothing can be claimed for it. */
export class Migration20261122050000 extends Migration {
  override up() {
    for (const [name, found, instead] of changes) {
      this.addSql(`do $patch$
declare definition text;
begin
  select pg_get_functiondef(oid) into strict definition from pg_proc where oid = '${name}'::regproc;
  if position($found$${found}$found$ in definition) = 0 then raise '${name} is not as expected'; end if;
  execute replace(definition, $found$${found}$found$, $instead$${instead}$instead$);
end $patch$`);
    }
  }
}
