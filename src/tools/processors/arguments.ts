import { asksForHelp, asksForJson, readArguments } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate processors <command>

  connect [--organization ID] [--key KEY] [--webhook-secret SECRET]
      connects an organization to the Stripe account of a secret key, in the mode of the key, or replaces its key;
      without --key the key is read from standard input, so that no history has it
      --organization is needed where the database has several organizations
  list [--json]
      prints the accounts, without their secrets, or JSON
  disconnect ID
      disconnects an account and deletes its secrets
`;

/** The request of the command line. */
export type ProcessorsArguments =
  | { readonly command: 'help' }
  | { readonly command: 'list'; readonly json: boolean }
  | {
      readonly command: 'connect';
      readonly secretKey: string | undefined;
      readonly webhookSecret: string | undefined;
      readonly organizationId: string | undefined;
    }
  | { readonly command: 'disconnect'; readonly id: string };

/** Parses the command line. Errors: UsageError. */
export function parseProcessorsArguments(args: readonly string[]): ProcessorsArguments {
  if (asksForHelp(args)) return { command: 'help' };
  const [command, ...rest] = args;
  if (command === 'list') return { command, json: asksForJson(rest) };
  if (command === 'disconnect') {
    const [id, ...more] = rest;
    if (!id || more.length > 0) throw new UsageError('disconnect takes the id of one account');
    return { command, id };
  }
  if (command !== 'connect') {
    throw new UsageError('A command is missing: connect, list or disconnect');
  }
  const { values } = readArguments({
    args: rest,
    options: {
      key: { type: 'string' },
      organization: { type: 'string' },
      'webhook-secret': { type: 'string' },
    },
  });
  return {
    command,
    secretKey: values.key,
    webhookSecret: values['webhook-secret'],
    organizationId: values.organization,
  };
}
