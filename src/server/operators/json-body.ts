import type { z } from 'zod';
import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import { issueOf } from '#domain/kernel/inputs/input-issues.ts';
import { cutBody } from '#rest/engine/body.ts';
import { boundedBytes } from '../http/bounded-body.ts';

const mostBytes = 8_192;

/**
 * The body of a request from a page of this service. Forms of other sites cannot send JSON. Errors: BAD_REQUEST.
 */
export async function jsonBody<T extends z.ZodType>(
  request: Request,
  input: T,
): Promise<z.output<T>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new DomainError('BAD_REQUEST', 'Content-Type must be application/json');
  }
  const bytes = await boundedBytes(request, mostBytes);
  if (bytes === 'cut') throw new DomainError('BAD_REQUEST', cutBody);
  if (bytes === 'too large') {
    throw new DomainError('BAD_REQUEST', `The body is larger than ${mostBytes} bytes`);
  }
  const { data, error } = input.safeParse(parsed(bytes));
  if (error) {
    throw new DomainError('BAD_REQUEST', invalidInput, { issues: error.issues.map(issueOf) });
  }
  return data;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new DomainError('BAD_REQUEST', 'The body must be JSON');
  }
}
