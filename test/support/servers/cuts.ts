import { onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { fresh } from '../factories.ts';

interface Cuts {
  readonly table: string;
  /** Inserts and updates when absent. */
  readonly event?: 'update';
  /** The changes of which rows, such as `new.status = 'sent'`; all when absent. */
  readonly when?: string;
  /** Which of them, counted from 1, such as `n % 4 = 0`. */
  readonly which: string;
}

/** Ends the connections of some changes of a table within their transactions, until the test ends. */
export async function cutConnections(
  session: Session,
  { table, event, when = 'true', which }: Cuts,
) {
  const { em } = fresh(session);
  await em.execute(`create sequence cut_in_test`);
  await em.execute(
    `create function cut_in_test() returns trigger language plpgsql as $$ begin
       if (select ${which} from nextval('cut_in_test') n) then
         perform pg_terminate_backend(pg_backend_pid());
         perform pg_sleep(5);
       end if;
       return new;
     end $$`,
  );
  await em.execute(
    `create trigger cut_in_test before ${event ?? 'insert or update'} on ${table} for each row when (${when})
     execute function cut_in_test()`,
  );
  const heal = async () => {
    await fresh(session).em.execute(`drop trigger if exists cut_in_test on ${table}`);
    await fresh(session).em.execute('drop function if exists cut_in_test()');
    await fresh(session).em.execute('drop sequence if exists cut_in_test');
  };
  onTestFinished(heal);
  return { heal };
}
