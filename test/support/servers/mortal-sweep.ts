import pg from 'pg';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { connect } from '#server/database/database.ts';
import '../secrets.ts';

/**
 * A process that executes the runs that are due at an instant, and kills itself at a statement of the database: before it
 * is sent, or after its answer.
 */
const [databaseUrl = '', instant = '', place = '', moment = 'before'] = process.argv.slice(2);
const orm = await connect({ databaseUrl, poolSize: 5 });
const { query } = pg.Client.prototype;
let left = Number(place);
type Query = (...given: unknown[]) => unknown;

const die = () => void process.kill(process.pid, 'SIGKILL');

pg.Client.prototype.query = function mortal(this: pg.Client, ...given: unknown[]) {
  if (left-- !== 0) return (query as Query).apply(this, given);
  if (moment === 'before') die();
  // The driver calls the callback with the answer: that of its own kind of statement, or an argument.
  const [statement] = given;
  if (statement instanceof pg.Query) Object.assign(statement, { callback: die });
  const others = given.filter((one) => typeof one !== 'function');
  return (query as Query).apply(this, statement instanceof pg.Query ? given : [...others, die]);
} as typeof query;

// A processor that cannot be reached is asked again later.
await executeDueRuns(orm.em.fork(), new Date(instant), 'test', () => {});
await orm.close(true);
