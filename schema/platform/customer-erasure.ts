import { Customer } from '#domain/model/platform/customer.ts';
import {
  type ErasedCustomer,
  eraseCustomer,
  eraseCustomerInput,
} from '#domain/platform/commands/customers/erase-customer.ts';
import type { ErasedRecords } from '#domain/platform/commands/customers/erase-records.ts';
import type { KeptRecords } from '#domain/platform/commands/customers/kept-records.ts';
import { atMostBelow } from '../engine/below.ts';
import { id, int, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { object } from '../engine/types.ts';

const ErasedRecordsType = object<ErasedRecords>('ErasedRecords')({
  description: 'The records of a kind that lost personal data.',
  fields: () => ({
    kind: text('The kind, such as `PaymentMethod`; `Event` for the feed and the audit log.'),
    count: int('The number of records.'),
  }),
});

const KeptRecordsType = object<KeptRecords>('KeptRecords')({
  description: 'The records of a kind that an erasure leaves as they are.',
  fields: () => ({
    kind: text('The kind, such as `Invoice`; `ProcessorCustomer` for a record at a processor.'),
    count: int('The number of records.'),
    reason: text('Why they stay, for people.'),
  }),
});

const EraseCustomerPayload = object<ErasedCustomer>('EraseCustomerPayload')({
  description: 'The report of an erasure.',
  fields: () => ({
    customer: of(Customer, 'The customer without personal data.'),
    erased: of(
      [ErasedRecordsType],
      `The records that lost personal data, by kind; ${atMostBelow}.`,
    ),
    kept: of([KeptRecordsType], `The records that stay, by kind; ${atMostBelow}.`),
  }),
});

mutation('eraseCustomer', {
  returns: EraseCustomerPayload,
  description:
    'Erases the personal data of an archived customer for good, in its records, in events and in stored answers. Documents and payments stay, because laws require them. A dry run returns the report without erasing. Errors: NOT_FOUND; BAD_REQUEST for a customer that is not archived, that owes money or that has a payment in progress.',
  args: { id: id('The id of the customer.') },
  input: eraseCustomerInput,
  command: eraseCustomer,
});
