import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate tenant <command>

  list [--json]
      lists the organizations, the routes of their keys, and where those are that move
  move ORG --to URL --cell NAME [--from URL] [--check] [--freeze-seconds N] [--map FILE --haproxy SOCKET] [--host NAME]
      moves an organization to the cell NAME while it is used; its requests get 503 for the last second or two.
      A move that was interrupted is finished or begun again
  abort ORG --to URL
      ends a move that was interrupted; the organization stays here
  recount ORG
      counts the rows of an organization again, and corrects its counters
  remove ORG
      deletes the rows of an organization that has moved to another cell
  route ORG --cell NAME [--host NAME]
      prints the lines of HAProxy's map that lead the keys of an organization to a cell

  --to URL            the database of the other cell, as the role that may create subscriptions
  --from URL          this cell's database, as the server of the other cell reaches it; DATABASE_OWNER_URL when absent
  --check             checks everything that a move needs, and changes nothing
  --freeze-seconds N  the longest time without the organization, 1 to 60; 5 when absent
  --map FILE          HAProxy's map, which gets the new lines
  --haproxy SOCKET    HAProxy's socket for commands, over which the running process gets them, too
  --host NAME         a host of the organization, which gets a line, too; may be repeated
`;

export interface MoveRequest {
  readonly command: 'move';
  readonly organizationId: string;
  readonly to: string;
  readonly cell: string;
  readonly from: string | undefined;
  readonly check: boolean;
  readonly freezeSeconds: number;
  readonly map: string | undefined;
  readonly haproxy: string | undefined;
  readonly hosts: readonly string[];
}

export type TenantRequest =
  | { readonly command: 'help' }
  | { readonly command: 'list'; readonly json: boolean }
  | { readonly command: 'recount' | 'remove'; readonly organizationId: string }
  | { readonly command: 'abort'; readonly organizationId: string; readonly to: string }
  | {
      readonly command: 'route';
      readonly organizationId: string;
      readonly cell: string;
      readonly hosts: readonly string[];
    }
  | MoveRequest;

const cellName = /^[a-z0-9][a-z0-9-]{0,29}$/;

/** Reads the command line. Errors: UsageError. */
export function parseTenantArguments(args: readonly string[]): TenantRequest {
  const { values, positionals } = readWithHelp(args, options);
  const [command, organizationId = '', ...more] = positionals;
  if (values.help || command === undefined) return { command: 'help' };
  if (more.length > 0) throw new UsageError(`There is no argument ${more[0]}`);
  const known = optionsOf(command);
  const others = Object.keys(values).filter((name) => !known.includes(name));
  if (others.length > 0) throw new UsageError(`${command} has no option --${others[0]}`);
  if (command === 'list') {
    if (organizationId) throw new UsageError(`There is no argument ${organizationId}`);
    return { command, json: values.json ?? false };
  }
  if (!organizationId) throw new UsageError(`${command} needs the id of an organization`);
  if (command === 'recount' || command === 'remove') return { command, organizationId };
  if (command === 'abort') return { command, organizationId, to: url('to', values.to) };
  const hosts = (values.host ?? []).map(hostOf);
  if (command === 'route') {
    return { command, organizationId, cell: cellOf(values.cell), hosts };
  }
  const { check = false, map, haproxy } = values;
  if (haproxy && !map) throw new UsageError('--haproxy needs --map, the name of the map there');
  return {
    command: 'move',
    organizationId,
    to: url('to', values.to),
    cell: cellOf(values.cell),
    from: values.from === undefined ? undefined : url('from', values.from),
    check,
    freezeSeconds: seconds(values['freeze-seconds'] ?? '5'),
    map,
    haproxy,
    hosts,
  };
}

function optionsOf(command: string): readonly string[] {
  switch (command) {
    case 'list':
      return ['json'];
    case 'recount':
    case 'remove':
      return [];
    case 'abort':
      return ['to'];
    case 'route':
      return ['cell', 'host'];
    case 'move':
      return ['to', 'cell', 'from', 'check', 'freeze-seconds', 'map', 'haproxy', 'host'];
    default:
      throw new UsageError(`There is no command ${command}`);
  }
}

function url(option: string, text: string | undefined): string {
  if (text === undefined) throw new UsageError(`--${option} is missing: a postgresql:// address`);
  if (!URL.canParse(text) || !/^postgres(ql)?:/.test(text)) {
    throw new UsageError(`--${option} must be a postgresql:// address`);
  }
  return text;
}

function cellOf(name: string | undefined): string {
  if (name !== undefined && cellName.test(name)) return name;
  throw new UsageError(
    '--cell must be the name of the cell: 1 to 30 of a-z, 0-9 and -, as in its TOLLGATE_CELL',
  );
}

/** HAProxy compares hosts in lower case and without their port. */
function hostOf(text: string): string {
  if (/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) return text.toLowerCase();
  throw new UsageError(`--host must be a name such as acme.example.com, not ${text}`);
}

function seconds(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 60) return number;
  throw new UsageError(`--freeze-seconds must be a whole number from 1 to 60, not ${text}`);
}

const options = {
  json: { type: 'boolean' },
  to: { type: 'string' },
  cell: { type: 'string' },
  from: { type: 'string' },
  check: { type: 'boolean' },
  'freeze-seconds': { type: 'string' },
  map: { type: 'string' },
  haproxy: { type: 'string' },
  host: { type: 'string', multiple: true },
} as const;
