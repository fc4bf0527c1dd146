import {
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { maskError } from './mask-error.ts';

/** Refusals that the same request meets again; everything else is trouble, or depends on who asks. */
const finalCodes = new Set<unknown>(['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT']);

/** Whether a result is final, so that repeats get it, too: data, or only refusals of the request itself. */
export const isFinal = ({ errors = [] }: ExecutionResult): boolean =>
  errors.every((error) => {
    const { extensions = {} } = publicError(error);
    // Variables that do not fit their types are refused by the executor itself, which has no codes.
    const isMisfit = error.originalError === undefined && error.path === undefined;
    return finalCodes.has(extensions.code) || (isMisfit && extensions.code === undefined);
  });

/** A result as it is kept: with its errors as the caller is shown them. */
export const textOf = ({ data, errors, extensions }: ExecutionResult): string =>
  JSON.stringify({ data, errors: errors?.map(publicError).map(shownOf), extensions });

/** The result that a text was made of, marked as a repetition. */
export function resultOf(text: string): ExecutionResult {
  const { data = null, errors, extensions } = JSON.parse(text) as FormattedExecutionResult;
  return {
    data,
    ...(errors && { errors: errors.map(errorOf) }),
    extensions: { ...extensions, idempotentReplayed: true },
  };
}

/** Without its locations in the document, which only help its author. */
const shownOf = ({ message, path, extensions }: GraphQLError) => ({ message, path, extensions });

const publicError = (error: GraphQLError) =>
  maskError(error, 'Internal server error') as GraphQLError;

function errorOf({ message, path, extensions }: GraphQLFormattedError): GraphQLError {
  return new GraphQLError(message, { path: path ?? null, extensions: extensions ?? null });
}
