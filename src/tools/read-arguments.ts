import { type ParseArgsConfig, parseArgs } from 'node:util';
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

const help = { type: 'boolean', short: 'h' } as const;

/** The same with words between the options, and with `--help` among them. */
export const readWithHelp = <Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) => readArguments({ args, allowPositionals: true, options: { ...options, help } });

/** Whether a command line asks for help instead of a command. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args.some((word) => word === '--help' || word === '-h');

/** Whether a command that prints results prints JSON: its one option. Errors: UsageError. */
export const asksForJson = (args: readonly string[]): boolean =>
  readArguments({ args, options: { json: { type: 'boolean', default: false } } }).values.json;
