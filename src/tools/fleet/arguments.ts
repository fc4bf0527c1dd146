import { readArguments } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

const usualPort = 8080;

export const usage = `Usage: npm run fleet [-- --port PORT] [--cells 2]

  Tries the recipe of src/deploy on this machine until Ctrl-C: etcd, three PostgreSQL under Patroni, HAProxy, PgBouncer
  and three processes of the service. Needs the programs on this machine. The data are deleted at the end.

  --port PORT  the port of the service, ${usualPort} when absent
  --cells 2    two cells instead: processes with an embedded PostgreSQL each, and HAProxy with their map
`;

export type FleetRequest =
  | { readonly command: 'run' | 'cells'; readonly port: number }
  | { readonly command: 'help' };

/** Reads the command line. Errors: UsageError. */
export function parseFleetArguments(args: readonly string[]): FleetRequest {
  const { values } = parse(args);
  if (values.help) return { command: 'help' };
  const port = Number(values.port ?? usualPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UsageError(`--port must be a port number, 1 to 65535, not ${values.port}`);
  }
  if (values.cells === undefined) return { command: 'run', port };
  if (values.cells !== '2') throw new UsageError(`--cells must be 2, not ${values.cells}`);
  return { command: 'cells', port };
}

const parse = (args: readonly string[]) =>
  readArguments({
    args,
    options: {
      port: { type: 'string' },
      cells: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
