import type { MikroORM } from '@mikro-orm/postgresql';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { bareTransitions } from '../baselines/bare-transitions.ts';
import { addDueSubscriptions, aPlan, boundary } from '../data/due-subscriptions.ts';
import { countStatements } from '../running/count-statements.ts';
import { startMeasuredDatabase } from '../running/database.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';

const sizes = [500, 3_000] as const;

/**
 * The scheduled job that takes subscriptions over the end of their period, all due at the same instant. The baseline
 * is a bare `pg` program that writes the same rows. The two take turns on the same database and machine.
 */
export async function transitions() {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  useSecrets();
  await prepareDatabase(databaseUrl, { now: new Date() });
  const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
  opened.defer(() => orm.close());
  const plan = await aPlan(orm);
  const add = (batch: string, count: number) => addDueSubscriptions(orm, plan, batch, count);

  await add('warm', 300);
  await job(orm, 300);
  await add('warm_bare', 300);
  await bareTransitions(databaseUrl, 'warm_bare', 300);
  process.stdout.write('Subscriptions over the end of their period, all due at once\n');
  const seconds: number[] = [];
  for (const count of sizes) {
    await add(`job_${count}`, count);
    const statements = countStatements();
    const ours = await timed(() => job(orm, count));
    const each = statements.stop() / count;
    await add(`bare_${count}`, count);
    const bare = await timed(() => bareTransitions(databaseUrl, `bare_${count}`, count));
    seconds.push(ours);
    report(count, ours, bare, each);
  }
  const [few = 1, many = 1] = seconds;
  process.stdout.write(
    `${sizes[1] / sizes[0]} times as many take ${(many / few).toFixed(1)} times as long\n`,
  );
  await checkNightly(databaseUrl);
}

async function job(orm: MikroORM, count: number) {
  const crossed = await transitionDueSubscriptions(orm.em.fork(), boundary, 'bench');
  if (crossed !== count) throw new Error(`${crossed} boundaries were crossed instead of ${count}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

function report(count: number, ours: number, bare: number, statements: number) {
  const line = (name: string, seconds: number, note: string) =>
    `${name.padEnd(24)} ${(count / seconds).toFixed(0).padStart(7)} subscriptions/s   ${note}\n`;
  process.stdout.write(
    `${count} subscriptions\n` +
      line('the job', ours, `${statements.toFixed(1)} statements each`) +
      line('bare pg', bare, '7 statements each') +
      `ratio ${(bare / ours).toFixed(2)}\n`,
  );
}
