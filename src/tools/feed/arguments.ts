import { readWithHelp } from '../read-arguments.ts';
import { type CalledService, calledService } from '../service-address.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../user-error.ts';

const common = `  --events TYPE,… prints events of these types only, such as customer.created,invoice.updated
  --after SEQUENCE begins after this event; without it new events only
  --json prints each event as one line of JSON
  --url and --key, or URL and KEY in the environment, name the service and a secret API key.
`;

export const tailUsage = `Usage: tollgate tail [--events TYPE,…] [--after SEQUENCE] [--json]

  Prints events as they happen, until Ctrl-C.
${common}`;

export const listenUsage = `Usage: tollgate listen --forward-to URL [--secret SECRET] [--events TYPE,…] [--after SEQUENCE] [--json]

  Sends each event once as a signed webhook to URL, until Ctrl-C, and prints the status of the answer.
  --secret, or WEBHOOK_SECRET in the environment, signs (whsec_…); without it there is a new secret, which is printed
${common}`;

/** The events of a service that a program follows. */
export interface FollowedFeed extends CalledService {
  /** All types when absent. */
  readonly types: readonly string[] | undefined;
  /** The sequence after which it begins; new events only when absent. */
  readonly after: number | undefined;
}

export interface TailArguments {
  readonly feed: FollowedFeed;
  readonly json: boolean;
}

export interface ListenArguments extends TailArguments {
  readonly target: string;
  /** The signing secret; a new one when absent. */
  readonly secret: string | undefined;
}

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  events: { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

type Given = Pick<Terminal, 'args' | 'environment'>;

/** Parses the command line of `tail`; undefined where it asks for help. Errors: UsageError. */
export function parseTailArguments({ args, environment }: Given): TailArguments | undefined {
  const { values, positionals } = readWithHelp(args, options);
  if (values.help) return undefined;
  refuseWords(positionals);
  return { feed: feedOf(values, environment), json: values.json };
}

/** Parses the command line of `listen`; undefined where it asks for help. Errors: UsageError. */
export function parseListenArguments({ args, environment }: Given): ListenArguments | undefined {
  const { values, positionals } = readWithHelp(args, {
    ...options,
    'forward-to': { type: 'string' },
    secret: { type: 'string' },
  });
  if (values.help) return undefined;
  refuseWords(positionals);
  const target = values['forward-to'];
  if (!target) throw new UsageError('--forward-to is missing');
  if (!/^https?:$/.test(URL.parse(target)?.protocol ?? '')) {
    throw new UsageError(
      `--forward-to must be an address such as http://localhost:3000/webhooks, not ${target}`,
    );
  }
  const secret = values.secret || environment.WEBHOOK_SECRET || undefined;
  if (secret && !/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) {
    throw new UsageError('--secret must be whsec_ and random bytes in base64');
  }
  return { feed: feedOf(values, environment), json: values.json, target, secret };
}

interface Values {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly events?: string | undefined;
  readonly after?: string | undefined;
}

const feedOf = (values: Values, environment: Terminal['environment']): FollowedFeed => ({
  ...calledService(values, environment),
  types: values.events?.split(',').map((type) => type.trim()),
  after: sequenceOf(values.after),
});

function sequenceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`--after must be the sequence of an event, not ${text}`);
}

function refuseWords([word]: readonly string[]) {
  if (word !== undefined) throw new UsageError(`There is no argument ${word}`);
}
