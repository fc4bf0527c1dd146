import { switchMails, switchMailsInput } from '#domain/mail/commands/mails/switch-mails.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { id, nullable } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { MailKind } from './mails.ts';

builder.objectField(Customer, 'mailsOff', (t) =>
  t.field({
    type: [MailKind],
    description: 'The optional kinds of mails that are not sent to it.',
    resolve: ({ mailsOff }) => mailsOff,
  }),
);

mutation('switchMails', {
  returns: [Customer, 'The customer with its kinds of mails.'],
  description:
    'Switches optional kinds of mails to a customer on and off: `card_expiring` and `alert`. Pending mails of kinds that are off are dropped. Errors: NOT_FOUND; BAD_REQUEST for a kind that is always sent, and for an erased customer.',
  args: {
    customerId: id('The customer.'),
    on: nullable.of([MailKind], 'The kinds that are sent from now on; others do not change.'),
    off: nullable.of([MailKind], 'The kinds that are not sent any more; others do not change.'),
  },
  input: switchMailsInput,
  command: switchMails,
});
