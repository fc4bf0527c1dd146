import type { ObjectParam, ObjectRef, OutputShape } from '@pothos/core';
import type { ZodType, z } from 'zod';
import { builder, type Context, type Types } from './builder.ts';
import type { fieldMarks } from './extensions.ts';
import { type Given, type Input, type Inputs, mapped, optionsOf } from './fields.ts';
import { payload } from './payload.ts';

/** An object of the answer, with its description. */
type Thing = readonly [ObjectParam<Types>, string];

/** The type of an answer; or the one object in it. */
type Answer = ObjectRef<Types, unknown> | Thing;

type ShapeOf<Of> = Of extends readonly [infer Param extends ObjectParam<Types>, string]
  ? OutputShape<Types, Param>
  : Of extends ObjectRef<Types, infer Shape>
    ? Shape
    : never;

interface Mutation<Of, Args extends Inputs, Schema extends ZodType> {
  readonly returns: Of;
  readonly description: string;
  readonly args?: Args;
  readonly extensions?: Parameters<typeof fieldMarks>[0];
  /** The zod object of the command. It takes what the arguments can be, or a narrower part of that. */
  readonly input: Schema & Fitting<Given<Args>, z.input<Schema>>;
  readonly command: (
    session: Context,
    input: z.output<Schema>,
  ) => ShapeOf<Of> | Promise<ShapeOf<Of>>;
}

type Fitting<Values, Taken> = Values extends Taken
  ? unknown
  : Taken extends Values
    ? unknown
    : never;

const isThing = (answer: Answer): answer is Thing => Array.isArray(answer);

/** Adds a mutation, which is one command: the zod object turns the arguments into its input. */
export function mutation<
  Of extends Answer,
  Schema extends ZodType,
  Args extends Inputs = Record<never, Input>,
>(name: string, { returns, args, input, command, ...options }: Mutation<Of, Args, Schema>) {
  builder.mutationField(name, (t) =>
    t.field({
      ...options,
      type: isThing(returns) ? payload(name, returns[0], returns[1]) : returns,
      args: mapped(args ?? {}, (arg) => t.arg(optionsOf(arg))),
      validate: { schema: input as ZodType<Record<string, unknown>> },
      resolve: (_root, given, session) => command(session, given as z.output<Schema>),
    }),
  );
}
