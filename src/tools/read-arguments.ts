import { parseArgs } from 'node:util';
import { UsageError } from './user-error.ts';

/**
 * Reads a command line by its options. Node's own messages are good; they only have to become usage errors.
 * Errors: UsageError.
 */
export const readArguments: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Whether a command line asks for help instead of a command. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args.some((word) => word === '--help' || word === '-h');
