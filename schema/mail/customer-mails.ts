import { switchMails, switchMailsInput } from '#domain/mail/commands/mails/switch-mails.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { builder } from '../engine/builder.ts';
import { byCommand } from '../engine/by-command.ts';
import { payload } from '../engine/payload.ts';
import { MailKind } from './mails.ts';

builder.objectField(Customer, 'mailsOff', (t) =>
  t.field({
    type: [MailKind],
    description: 'The optional kinds of mails that are not sent to it.',
    resolve: ({ mailsOff }) => mailsOff,
  }),
);

builder.mutationField('switchMails', (t) =>
  t.field({
    type: payload('switchMails', Customer, 'The customer with its kinds of mails.'),
    description:
      'Switches optional kinds of mails to a customer on and off: `card_expiring` and `alert`. Pending mails of kinds that are off are dropped. Errors: NOT_FOUND; BAD_REQUEST for a kind that is always sent, and for an erased customer.',
    args: {
      customerId: t.arg.id({ required: true, description: 'The customer.' }),
      on: t.arg({
        type: [MailKind],
        description: 'The kinds that are sent from now on; others do not change.',
      }),
      off: t.arg({
        type: [MailKind],
        description: 'The kinds that are not sent any more; others do not change.',
      }),
    },
    ...byCommand(switchMailsInput, switchMails),
  }),
);
