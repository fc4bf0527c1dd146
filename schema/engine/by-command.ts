import type { ZodType, z } from 'zod';
import type { Context } from './builder.ts';

/**
 * The validation and the resolver of a field that calls a command with its arguments. The zod object turns these into
 * the input of the command, which the types of arguments cannot state.
 */
export const byCommand = <Schema extends ZodType, Result>(
  schema: Schema,
  command: (session: Context, input: z.output<Schema>) => Result,
) => ({
  validate: { schema: schema as never },
  resolve: (_root: unknown, args: object, session: Context) =>
    command(session, args as z.output<Schema>),
});
