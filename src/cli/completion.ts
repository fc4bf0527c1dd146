import { completionScript, shellNamed, shells } from '../tools/completion/completion-script.ts';
import type { Program, Programs } from '../tools/terminal.ts';

const usage = `Usage: tollgate completion ${shells.join('|')}

  Prints a script that completes programs, commands and options:
    bash  source <(tollgate completion bash)
    zsh   source <(tollgate completion zsh)
    fish  tollgate completion fish | source
`;

/** `tollgate completion` prints the completion for a shell. */
export const completionOf = (programs: Programs): Program => ({
  usage,
  async run({ args: [shell], print }) {
    if (shell === '--help') return void print(usage);
    print(completionScript(shellNamed(shell), await wordsOf(programs)));
    return 0;
  },
});

/** The words that follow each program: the commands and options of its usage. */
async function wordsOf(programs: Programs) {
  const all = Object.entries(programs).map(async ([name, { load }]) => {
    const { program } = await load();
    return [name, wordsIn(program.usage ?? '')] as const;
  });
  return new Map(await Promise.all(all));
}

/** A command begins a line with two spaces, and its description follows; an option may be anywhere in the usage. */
function wordsIn(usage: string): string[] {
  const commands = usage.matchAll(/^ {2}([a-z][a-z-]*)(?: [^\n]*)?\n {6}/gm);
  const options = usage.matchAll(/(?<![\w-])--[a-z][a-z-]*/g);
  const words = [...commands].map(([, name = '']) => name);
  return [...new Set([...words, ...[...options].map(([name]) => name), '--help'])];
}
