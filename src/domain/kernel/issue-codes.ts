/** The kinds of issues, for programs: the words of a message may change, the meaning of a code does not. */
export const issueCodes = [
  'REQUIRED',
  'INVALID',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'NOT_ALLOWED',
  'IMMUTABLE',
  'MISMATCH',
  'NOT_FOUND',
  'TAKEN',
  'ARCHIVED',
  'NOT_DRAFT',
  'INVALID_STATE',
  'IN_PROGRESS',
  'STALE',
  'ALREADY_SUBSCRIBED',
  'PAYMENT_METHOD_REQUIRED',
  'DECLINED',
  'CAPACITY_EXCEEDED',
  'CREDITS_EXCEEDED',
  'LIMIT_EXCEEDED',
  'KEY_REUSED',
  'TAX_SERVICE_FAILED',
  'FORBIDDEN',
] as const;

export type IssueCode = (typeof issueCodes)[number];
