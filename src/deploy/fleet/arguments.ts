import { parseArgs } from 'node:util';
import { UsageError } from '#server/usage-error.ts';

const usualPort = 8080;

export const usage = `Usage: npm run fleet [-- --port PORT]

  Tries the recipe of src/deploy on this machine until Ctrl-C: etcd, three PostgreSQL under Patroni, HAProxy, PgBouncer
  and three processes of the service. Needs the programs on this machine. The data are deleted at the end.

  --port PORT  the port of the service, ${usualPort} when absent
`;

export type FleetRequest =
  | { readonly command: 'run'; readonly port: number }
  | { readonly command: 'help' };

/** Reads the command line. Errors: UsageError. */
export function parseFleetArguments(args: readonly string[]): FleetRequest {
  const { values } = parse(args);
  if (values.help) return { command: 'help' };
  const port = Number(values.port ?? usualPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UsageError(`--port must be a port number, 1 to 65535, not ${values.port}`);
  }
  return { command: 'run', port };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
