import type { Program, Programs } from '../tools/terminal.ts';
import { textTable } from '../tools/text-table.ts';
import { UserError } from '../tools/user-error.ts';

const usage = `Usage: tollgate help [PROGRAM]

  Prints the programs, or the usage of one.
`;

/** `tollgate help` prints the programs, or the usage of one. */
export const helpOf = (programs: Programs): Program => ({
  usage,
  async run({ args: [name], print }) {
    if (name === '--help') print(usage);
    else if (name === undefined) print(listOf(programs));
    else print((await programNamed(programs, name)).usage ?? '');
    return 0;
  },
});

/** The program of a name. Errors: UserError. */
export async function programNamed(programs: Programs, name: string): Promise<Program> {
  const entry = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (entry) return (await entry.load()).program;
  throw new UserError(
    `There is no program ${name}. The programs are ${Object.keys(programs).join(', ')}`,
  );
}

function listOf(programs: Programs): string {
  const lines = Object.entries(programs).map(([name, { summary }]) => [` ${name}`, summary]);
  return `Usage: tollgate PROGRAM [ARGUMENTS]

${textTable(lines)}
Each program takes --help, and --version prints the version of all.
--profile NAME takes the URL and KEY of a service from ~/.config/tollgate/profiles.json, such as
{"production": {"url": "https://billing.example.com", "key": "sk_live_…"}}.
`;
}
