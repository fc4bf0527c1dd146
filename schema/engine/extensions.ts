import type { GraphQLFieldExtensions, GraphQLInputFieldExtensions } from 'graphql';
import type { ZodType } from 'zod';

declare module 'graphql' {
  /** Marks of a field, which the server and REST read from the schema. */
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** The mutation needs several transactions, so it must be alone in its operation. */
    readonly inSteps?: boolean;
    /** The field of a query or mutation may take long, so only a few run at a time. */
    readonly takesLong?: boolean;
    /** Seconds for which the mutation may wait for another service or for several statements, on top of the usual time. */
    readonly waitsSeconds?: number;
    /** The subscription's result depends on the event alone, so it is computed once for all followers. */
    readonly fromEventAlone?: boolean;
    /** The number of rows of a live list: without the argument `first`, and at most. */
    readonly snapshot?: { readonly usual: number; readonly most: number };
    /** The field shows how the organization works: no customer token selects it, and REST leaves it out for one. */
    readonly hiddenFromTokens?: boolean;
    /** The list is part of its object's row, so it counts as one object in the cost of an operation. */
    readonly partOfRow?: boolean;
    /** The ranges of the field's arguments, as JSON Schema. */
    readonly ranges?: object;
    /** The rules that some arguments break, and where, apart from values of a wrong type. */
    readonly broken?: (args: unknown) => Promise<
      readonly {
        readonly code: string;
        readonly path: readonly PropertyKey[];
        readonly message: string;
      }[]
    >;
    /** The options that the builder was given. */
    readonly pothosOptions?: {
      readonly authScopes?: { readonly anyKey?: boolean };
      readonly validate?: { readonly schema?: ZodType };
    };
  }

  /** Marks of an input field. */
  interface GraphQLInputFieldExtensions {
    /** Null differs from an absent value, so REST passes it on. */
    readonly keepsNull?: boolean;
  }

  /** Marks of an input object. */
  interface GraphQLInputObjectTypeExtensions {
    /** Fields of the record that a REST client may repeat without effect, each with the one value that it may have. */
    readonly repeats?: Readonly<Record<string, string | null>>;
  }

  /** Marks of a scalar. */
  interface GraphQLScalarTypeExtensions {
    /** The values of the scalar, as JSON Schema. */
    readonly jsonSchema?: Readonly<Record<string, unknown>>;
  }
}

type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The marks of a field, checked by their names. */
export const fieldMarks = (marks: Known<GraphQLFieldExtensions<unknown, unknown>>) => marks;

/** The mark of a field that no customer token reads. */
export const hiddenFromTokens = fieldMarks({ hiddenFromTokens: true });

/** The marks of an input field, checked by their names. */
export const inputMarks = (marks: Known<GraphQLInputFieldExtensions>) => marks;

/** The mark of an input field that null empties, also over REST. */
export const nullEmpties = inputMarks({ keepsNull: true });
