import { buildSetting } from '../database/server-version.ts';
import type { Cluster } from './postgres-cluster.ts';

// PostgreSQL accepts any setting with a dot in it; this one shows the folder in the process list.
export const folderSetting = 'tollgate.data_dir';

const mebibyte = 1024 * 1024;

/** An eighth of the memory that the process may use, at most 256 MiB: a container of 1 GiB has room for both. */
const sharedMegabytes = () =>
  Math.max(32, Math.min(256, Math.floor(process.constrainedMemory() / 8 / mebibyte)));

/** The settings of the server as command line arguments. */
export function settings({ folder, durable, isCell, version }: Cluster, port: number): string[] {
  const shared = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: `${durable ? sharedMegabytes() : 128}MB`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The start waits for a line of this output, so a postgresql.conf must not send it elsewhere.
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    log_line_prefix: '[%p] ',
    // Values of rows, such as names and addresses, stay out of the log: in statements, parameters and details.
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: 'terse',
    // Statements are short: compiling one takes longer than executing it. The build of the package cannot do so either.
    jit: 'off',
    [buildSetting]: version.build,
  };
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  // Other installations do without: it makes the log of each change longer.
  const logical = isCell ? { wal_level: 'logical' } : {};
  const all = { ...shared, ...(durable ? {} : fast), ...logical, [folderSetting]: folder };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
