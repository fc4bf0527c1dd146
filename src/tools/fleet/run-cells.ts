import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { ConfigError } from '#config';
import { findRunningPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { findHaproxy } from './programs.ts';
import { startCells } from './start-cells.ts';

interface RunOptions {
  readonly port: number;
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly stop: AbortSignal;
}

/** Starts two cells and prints how to use them, until `stop`. Errors: ConfigError without HAProxy. */
export async function runCells({ port, folder, print, stop }: RunOptions) {
  const say = (line: string) => print(`${line}\n`);
  const haproxy = await findHaproxy();
  if (!haproxy) throw new ConfigError('Cells need HAProxy 2.6 or newer: install it');
  const newKey = () => `sk_test_${randomBytes(20).toString('hex')}`;
  const keys = [newKey(), newKey()] as const;
  const secretsKey = randomBytes(32).toString('base64');
  say('Starting two cells, each with an embedded PostgreSQL, and HAProxy');
  await using running = await startCells({
    haproxy,
    folder,
    keys,
    port,
    settings: { SECRETS_KEY: secretsKey, METRICS_TOKEN: randomBytes(16).toString('hex') },
  });
  const [one, two] = running.cells;
  const addressOfTwo = await findRunningPostgres(two.dataDir);
  say(`
The service:                 ${running.url}
A key of cell one:           ${keys[0]}
A key of cell two:           ${keys[1]}
Logs:                        ${folder}/*.log
Kill cell one, or cell two:  kill -9 -- -${one.processId()}, or kill -9 -- -${two.processId()}

The organizations of cell one, and the move of one to cell two:
  export DATA_DIR=${one.dataDir} SECRETS_KEY=${secretsKey} TOLLGATE_CELL=one
  npm run tenant -- list
  npm run tenant -- move ORG --to ${addressOfTwo} --cell two \\
    --map ${running.map} --haproxy ${running.socket}

Ctrl-C ends everything.`);
  if (!stop.aborted) await once(stop, 'abort');
  say('Stopping');
}
