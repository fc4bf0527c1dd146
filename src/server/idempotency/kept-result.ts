import {
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { maskError } from '../errors/mask-error.ts';

/** Refusals that a repeat of the request would get, too; other errors are temporary, or depend on the caller. */
const finalCodes = new Set<unknown>(['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT']);

/** Whether a result is final, so that repeats get it, too: data, or only refusals of the request itself. */
export const isFinal = ({ errors = [] }: ExecutionResult): boolean =>
  errors.every((error) => {
    const { extensions = {} } = publicError(error);
    // The executor itself refuses variables of wrong types, without codes.
    const isMisfit = error.originalError === undefined && error.path === undefined;
    return finalCodes.has(extensions.code) || (isMisfit && extensions.code === undefined);
  });

/** A result as it is stored: with its errors as the caller sees them. */
export const textOf = ({ data, errors, extensions }: ExecutionResult): string =>
  JSON.stringify({ data, errors: errors?.map(publicError).map(shownOf), extensions });

/** The result of a stored text, marked as a repetition. */
export function resultOf(text: string): ExecutionResult {
  const { data = null, errors, extensions } = JSON.parse(text) as FormattedExecutionResult;
  return {
    data,
    ...(errors && { errors: errors.map(errorOf) }),
    extensions: { ...extensions, idempotentReplayed: true },
  };
}

/** Without its position in the document, which is for authors of documents. */
const shownOf = ({ message, path, extensions }: GraphQLError) => ({ message, path, extensions });

const publicError = (error: GraphQLError) =>
  maskError(error, 'Internal server error') as GraphQLError;

function errorOf({ message, path, extensions }: GraphQLFormattedError): GraphQLError {
  return new GraphQLError(message, { path: path ?? null, extensions: extensions ?? null });
}
