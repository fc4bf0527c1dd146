import {
  type CompatibleTypes,
  FieldRef,
  type InputFieldRef,
  type InputShapeFromFields,
  type InputShapeFromTypeParam,
  type InputType,
  type OutputType,
} from '@pothos/core';
import type { Types } from './builder.ts';

type Type = OutputType<Types> | InputType<Types> | [OutputType<Types>] | [InputType<Types>];

type Marks = Readonly<Record<string, unknown>>;

/** A field that shows the property of its name, an input, or an argument. */
export interface Field<Of = unknown, Nullable extends boolean = boolean> {
  readonly type: Of;
  readonly nullable: Nullable;
  readonly description: string;
  readonly extensions?: Marks;
}

/** A field with a resolver of its own, as `reference` makes it. */
export interface Resolved extends Field {
  readonly resolve: (row: object, args: object, session: Types['Context']) => unknown;
}

function fieldsOf<Nullable extends boolean>(nullable: Nullable) {
  const of = <Of extends Type>(
    type: Of,
    description: string,
    extensions?: Marks,
  ): Field<Of, Nullable> => ({ type, nullable, description, ...(extensions && { extensions }) });
  const scalar =
    <Of extends Type>(type: Of) =>
    (description: string, extensions?: Marks) =>
      of(type, description, extensions);
  return {
    text: scalar('String'),
    id: scalar('ID'),
    int: scalar('Int'),
    float: scalar('Float'),
    flag: scalar('Boolean'),
    safeInt: scalar('SafeInt'),
    time: scalar('Timestamp'),
    decimal: scalar('Decimal'),
    json: scalar('JSON'),
    of,
  };
}

/** A field with a value in every answer, or a required input: `text('The name.')`, `of([Price], 'The prices.')`. */
export const { text, id, int, float, flag, safeInt, time, decimal, json, of } = fieldsOf(false);

/** A field that may be null, or an input that may be absent: `nullable.text('The name.')`. */
export const nullable = fieldsOf(true);

/** The same inputs, each of which may be absent. */
export const optional = <Of extends Inputs>(inputs: Of) =>
  mapped(inputs, (field) => ({ ...field, nullable: true })) as {
    readonly [Name in keyof Of]: Of[Name] extends Field<infer Shape> ? Field<Shape, true> : never;
  };

/** The id of a changed record in its input, for clients that send an answer back. */
export const repeatedId = nullable.id('The id, repeated; it must equal the id of the request.');

/** The fields of an object: properties that are shown, references, and fields of the builder. */
export type Fields = Readonly<Record<string, Field | Resolved | FieldRef<Types>>>;

/** The same fields, where an object has each property that is shown, with a value of its type. */
export type Shown<Parent, Of> = {
  [Name in keyof Of]: Of[Name] extends Resolved
    ? Of[Name]
    : Of[Name] extends Field<
          infer Shape extends OutputType<Types> | [OutputType<Types>],
          infer Null
        >
      ? Name extends CompatibleTypes<Types, Parent, Shape, Null>
        ? Of[Name]
        : never
      : Of[Name];
};

/** The builder of fields without its generics, whose checks are in `Shown`. */
interface FieldBuilder {
  field(options: object): FieldRef<Types>;
  expose(name: string, options: object): FieldRef<Types>;
}

/** The fields of an object for the builder. */
export function built(builder: object, fields: Fields): Record<string, FieldRef<Types>> {
  const t = builder as FieldBuilder;
  return mapped(fields, (field, name) => {
    if (field instanceof FieldRef) return field;
    const { nullable, ...rest } = field;
    const options = { ...rest, ...(nullable && { nullable }) };
    return 'resolve' in field ? t.field(options) : t.expose(name, options);
  });
}

/** An input or an argument. */
export type Input = Field<InputType<Types> | [InputType<Types>]>;

/** Inputs or arguments by their names. */
export type Inputs = Readonly<Record<string, Input>>;

/** The values of inputs. */
export type Given<Of extends Inputs> = InputShapeFromFields<{
  [Name in keyof Of & string]: InputFieldRef<
    Types,
    Of[Name] extends Field<infer Shape extends InputType<Types> | [InputType<Types>], infer Null>
      ? InputShapeFromTypeParam<Types, Shape, Null extends true ? false : true>
      : never
  >;
}>;

/** The options of an input or an argument for the builder. */
export const optionsOf = ({ nullable, ...field }: Input) => ({
  ...field,
  ...(!nullable && { required: true }),
});

/** The same names, each with what is made of its value. */
export const mapped = <Value, Made>(
  values: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]));
