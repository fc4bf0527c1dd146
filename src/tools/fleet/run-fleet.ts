import { randomBytes } from 'node:crypto';
import { findPrograms } from './programs.ts';
import { startFleet } from './start-fleet.ts';
import { supervise } from './supervise.ts';

interface RunOptions {
  readonly port: number;
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly stop: AbortSignal;
}

/** Starts a fleet and prints how to use it, until `stop`. Errors: Error that names missing programs. */
export async function runFleet({ port, folder, print, stop }: RunOptions) {
  const say = (line: string) => print(`${line}\n`);
  const programs = await findPrograms();
  const key = `sk_test_${randomBytes(20).toString('hex')}`;
  const metricsToken = randomBytes(16).toString('hex');
  await using fleet = await startFleet({
    programs,
    folder,
    port,
    report: say,
    settings: {
      BOOTSTRAP_SECRET_KEY: key,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      METRICS_TOKEN: metricsToken,
    },
  });
  const roles = await Promise.all(fleet.databases.map((each) => each.role()));
  say(`
The service:       ${fleet.url}
A secret test key: ${key}
Logs:              ${folder}/*.log
`);
  for (const [index, { name, port: at, processIds }] of fleet.databases.entries()) {
    const [patroni, server] = await processIds();
    say(`${name}  port ${at}  ${roles[index]}; kill it: kill -9 ${patroni} ${server}`);
  }
  for (const { name, url, processId } of fleet.gateways) {
    say(`${name}   ${url}/metrics; kill it: kill -9 ${processId()}`);
  }
  say(`
Metrics need the header  Authorization: Bearer ${metricsToken}
Members that end are started again. Ctrl-C ends everything.
`);
  const { members, databases } = fleet;
  const report = (line: string) => say(`${new Date().toISOString().slice(11, 19)}  ${line}`);
  await supervise({ members, databases, report, stop });
  say('Stopping');
}
