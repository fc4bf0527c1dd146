/** The arguments, settings, input and output of a program of the command line. Tests give it their own, without a process. */
export interface Terminal {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Standard output gets what was asked for and nothing else, so that it can be captured. */
  print(text: string): void;
  /** Standard error. */
  tell(text: string): void;
  /** Standard input until its end. */
  input(): Promise<string>;
  /** Aborted by Ctrl-C and SIGTERM. A program that asks for it must end by itself. */
  stop(): AbortSignal;
}

/** A program of the command line. */
export interface Program {
  /** Printed behind a refusal of arguments. */
  readonly usage?: string;
  /** Returns the exit code, or nothing for 0. Its errors are printed, with the exit code 1. */
  run(terminal: Terminal): Promise<number | undefined>;
}

/** The programs by their name, in the order of their list. */
export type Programs = Readonly<
  Record<
    string,
    {
      /** One line for the list of programs. */
      readonly summary: string;
      /** Loads the program when it is called. */
      readonly load: () => Promise<{ readonly program: Program }>;
    }
  >
>;
