import { issueCodes } from '#domain/kernel/issue-codes.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';

/** No field has this type: errors show the codes in `extensions.issues[].code`. */
builder.enumType('IssueCode', {
  description:
    'The kind of a problem, in `extensions.issues[].code` of an error. Each issue also has a `path`, as in the arguments, and a `message`.',
  values: described(issueCodes, {
    REQUIRED: 'A value is missing.',
    INVALID: 'A value has a wrong type or form, or does not suit the other values.',
    OUT_OF_RANGE: 'A number, an amount or a time is too small or too large.',
    TOO_SHORT: 'A text or a list is too short.',
    TOO_LONG: 'A text, a list or an object is too long.',
    NOT_ALLOWED: 'A field is not allowed in this request.',
    IMMUTABLE: 'A field cannot change.',
    MISMATCH: 'A value differs from the value that it must equal.',
    NOT_FOUND: 'A value names an object that the API key cannot see.',
    TAKEN: 'Another object has this unique value.',
    ARCHIVED: 'A value names an object that is archived, inactive, expired or detached.',
    NOT_DRAFT: 'Only a draft can change, and this invoice is no draft.',
    INVALID_STATE: 'The status of an object does not allow the operation.',
    IN_PROGRESS: 'Another operation on the object is in progress; repeat the request later.',
    STALE: 'The object has changed since the version that the request expects.',
    ALREADY_SUBSCRIBED: 'The customer already has a subscription that excludes another one.',
    PAYMENT_METHOD_REQUIRED: 'There is no payment method to charge.',
    DECLINED: 'The processor declined the payment; `declineCode` states the reason.',
    CAPACITY_EXCEEDED: 'The free capacity of a resource is too small.',
    CREDITS_EXCEEDED: 'The free usage credits of a meter are too few.',
    LIMIT_EXCEEDED: 'Usage exceeds a hard limit.',
    TAX_SERVICE_FAILED: 'The tax service of the organization gave no usable answer.',
    KEY_REUSED: 'The idempotency key belongs to another request.',
    FORBIDDEN: 'The operation is not allowed here.',
  }),
});
