import type { statuses } from './errors.ts';

/** The media type of a problem, RFC 9457. */
const problemType = 'application/problem+json';

/** Whether a caller asks for problems: it names their media type in `Accept`. */
export const prefersProblem = (accept: string | null): boolean =>
  (accept ?? '').split(',').some((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return type === problemType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });

/**
 * A refusal as a problem of RFC 9457: `detail` is its message, `title` the sense of its code, and `code` and `issues` are
 * those of the usual body.
 */
export function problemOf(status: number, body: string): string {
  const { message, code, issues } = JSON.parse(body);
  const title = titles[code as keyof typeof titles] ?? code;
  return JSON.stringify({ type: '/docs/errors', title, status, detail: message, code, issues });
}

export const problemHeaders = { 'content-type': problemType } as const;

const titles: Readonly<Record<keyof typeof statuses, string>> = {
  BAD_REQUEST: 'The request is not valid',
  CONFLICT: 'The state of a record does not allow the request',
  UNAUTHORIZED: 'The credential is missing or not valid',
  FORBIDDEN: 'The credential does not allow the request',
  NOT_FOUND: 'The record does not exist',
  MISDIRECTED: 'Another cell serves the organization',
  INTERNAL_SERVER_ERROR: 'The service has failed',
  TOO_MANY_REQUESTS: 'Too many requests',
  SERVICE_UNAVAILABLE: 'The service cannot execute the request now',
};
