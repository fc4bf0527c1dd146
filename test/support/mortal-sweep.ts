import pg from 'pg';
import { executeDueRuns } from '#domain/rules/collection/execute-due-runs.ts';
import { connect } from '#server/database.ts';
import './secrets.ts';

/**
 * A process that executes the runs that are due at an instant, and kills itself at a statement of the database: before it
 * is sent, or after its answer.
 */
const [databaseUrl = '', instant = '', place = '', moment = 'before'] = process.argv.slice(2);
const orm = await connect({ databaseUrl, poolSize: 5 });
const { query } = pg.Client.prototype;
let left = Number(place);

pg.Client.prototype.query = function mortal(this: pg.Client, ...given: unknown[]) {
  const isLast = left-- === 0;
  if (isLast && moment === 'before') process.kill(process.pid, 'SIGKILL');
  const answer = (query as (...given: unknown[]) => unknown).apply(this, given);
  if (isLast && answer instanceof Promise) {
    return answer.then(() => process.kill(process.pid, 'SIGKILL'));
  }
  return answer;
} as typeof query;

// A processor that cannot be reached is asked again later.
await executeDueRuns(orm.em.fork(), new Date(instant), 'test', () => {});
await orm.close(true);
