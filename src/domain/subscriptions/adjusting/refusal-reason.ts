import type { DomainError } from '#domain/kernel/errors.ts';

/** The reason of a refusal in one sentence. */
export function refusalReason({ message, issues: [issue] }: DomainError): string {
  if (!issue || issue.path.length === 0) return message;
  return issue.path[0] === 'id' ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
