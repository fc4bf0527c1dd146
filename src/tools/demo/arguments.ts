import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate demo [<command>]

  [fill] [--customers N] [--once]
      fills a pricing model of its own in test mode with a year of a business, and prints a key for it; then
      continues it in real time until Ctrl-C, or ends with --once. N is 200 unless given, at most 2000
  live
      continues a demo that was filled before
  remove
      deletes the demo with its pricing model, keys and events
`;

/** The request of the command line. */
export type DemoRequest =
  | { readonly command: 'help' }
  | { readonly command: 'live' }
  | { readonly command: 'remove' }
  | { readonly command: 'fill'; readonly customers: number; readonly once: boolean };

const mostCustomers = 2_000;

/** Reads the arguments of the command line. Errors: UsageError. */
export function parseDemoArguments(args: readonly string[]): DemoRequest {
  const { values, positionals } = readWithHelp(args, options);
  const [command = 'fill', ...rest] = positionals;
  if (values.help || command === 'help') return { command: 'help' };
  if (rest.length > 0) throw new UsageError(`There is no argument ${rest[0]}`);
  if (command === 'live') return { command };
  if (command === 'remove') return { command };
  if (command !== 'fill') throw new UsageError(`There is no command ${command}`);
  const customers = Number(values.customers ?? 200);
  if (!Number.isInteger(customers) || customers < 1 || customers > mostCustomers) {
    throw new UsageError(`--customers must be a whole number from 1 to ${mostCustomers}`);
  }
  return { command, customers, once: values.once ?? false };
}

const options = { customers: { type: 'string' }, once: { type: 'boolean' } } as const;
