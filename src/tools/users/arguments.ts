import { type OperatorRole, operatorRoles } from '#domain/kernel/access-scopes.ts';
import { emailInput } from '#domain/platform/commands/operators/email-input.ts';
import { asksForHelp, asksForJson, readArguments } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate users <command>

  create --email EMAIL --role ${operatorRoles.join('|')} [--name NAME]
      prints a link with which the person sets a password and becomes an operator; it is valid for a day
  list [--json]
      prints a table of all operators and of the invitations that can be accepted, or JSON
  reset-password --email EMAIL
      prints a link with which the operator sets a new password; it is valid for a day
  reset-second-factor --email EMAIL
      removes the second factor of an operator who has lost it
  deactivate --email EMAIL
      deactivates an operator and ends its sessions
`;

/** The commands that name an operator. */
const ofOperator = ['reset-password', 'reset-second-factor', 'deactivate'] as const;

/** The request of the command line to the database. */
export type UsersRequest =
  | {
      readonly command: 'create';
      readonly email: string;
      readonly role: OperatorRole;
      readonly name: string | undefined;
    }
  | { readonly command: 'list'; readonly json: boolean }
  | { readonly command: (typeof ofOperator)[number]; readonly email: string };

/** The request of the command line. */
export type UsersArguments = UsersRequest | { readonly command: 'help' };

/** Parses the command line. Errors: UsageError. */
export function parseUsersArguments(args: readonly string[]): UsersArguments {
  if (asksForHelp(args)) return { command: 'help' };
  const [command, ...rest] = args;
  if (command === 'create') {
    const { email, role, name } = optionsOf(rest, ['email', 'role', 'name']);
    return { command, email: emailOf(email), role: roleOf(role), name };
  }
  if (command === 'list') return { command, json: asksForJson(rest) };
  const known = ofOperator.find((name) => name === command);
  if (known) return { command: known, email: emailOf(optionsOf(rest, ['email']).email) };
  throw new UsageError(
    command
      ? `There is no command ${command}`
      : `A command is missing: create, list, ${ofOperator.join(' or ')}`,
  );
}

function optionsOf(args: string[], names: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  return readArguments({ args, options }).values as Record<string, string | undefined>;
}

function emailOf(text: string | undefined): string {
  const { data } = emailInput.safeParse(text);
  if (data) return data;
  throw new UsageError(
    text ? `--email must be an e-mail address, not ${text}` : '--email is missing',
  );
}

function roleOf(text: string | undefined): OperatorRole {
  const role = operatorRoles.find((role) => role === text);
  if (role) return role;
  const wanted = `--role must be ${operatorRoles.join(', ')}`;
  throw new UsageError(text ? `${wanted}, not ${text}` : wanted);
}
