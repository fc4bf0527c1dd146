import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate api METHOD PATH [JSON|-] [--raw] [--header "Name: value"]…

  Calls REST and prints the answer for people: indented, with times in ISO 8601.
  PATH is below /api/v1, such as /customers; the body - is the input.
  --raw prints the answer as it is.
  URL (or PORT) and KEY in the environment name the service and an API key.
  The exit code is 1 for a refusal.
`;

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly raw: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const options = {
  raw: { type: 'boolean', default: false },
  header: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** Parses the command line; undefined where it asks for help. Errors: UsageError. */
export function parseApiArguments(args: readonly string[]): ApiCall | undefined {
  const { values, positionals } = readWithHelp(args, options);
  if (values.help) return undefined;
  const [method = '', path, body, ...more] = positionals;
  if (!/^[a-z]+$/i.test(method)) throw new UsageError('A method is missing, such as GET');
  if (!path) throw new UsageError('A path is missing, such as /customers');
  if (more.length > 0) throw new UsageError('There is one body at most');
  return {
    method: method.toUpperCase(),
    path,
    body,
    raw: values.raw,
    headers: values.header.map(headerOf),
  };
}

function headerOf(line: string): [string, string] {
  const [name = '', ...value] = line.split(':');
  return [name.trim(), value.join(':').trim()];
}
