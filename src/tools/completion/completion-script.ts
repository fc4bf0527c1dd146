import { UsageError } from '../user-error.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];

/** The words that may follow each program. */
type Words = ReadonlyMap<string, readonly string[]>;

/** The shell of a command line. Errors: UsageError. */
export function shellNamed(name: string | undefined): Shell {
  const shell = shells.find((shell) => shell === name);
  if (shell) return shell;
  throw new UsageError(name ? `There is no completion for ${name}` : 'A shell is missing');
}

/** The script by which a shell completes programs, then their words and names of files. */
export const completionScript = (shell: Shell, words: Words): string => scripts[shell](words);

const scripts: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: inBash,
  // Zsh reads completions of bash.
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${inBash(words)}`,
  fish: (words) =>
    [
      `complete -c tollgate -n __fish_use_subcommand -f -a '${[...words.keys()].join(' ')}'`,
      ...[...words].map(
        ([name, own]) =>
          `complete -c tollgate -n '__fish_seen_subcommand_from ${name}' -a '${own.join(' ')}'`,
      ),
      '',
    ].join('\n'),
};

function inBash(words: Words) {
  return `_tollgate() {
  local words="${[...words.keys()].join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${[...words].map(([name, own]) => `      ${name}) words="${own.join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate
`;
}
