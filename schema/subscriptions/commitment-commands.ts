import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import {
  endCommitment,
  endCommitmentInput,
} from '#domain/subscriptions/commands/subscriptions/end-commitment.ts';
import {
  setCommitment,
  setCommitmentInput,
} from '#domain/subscriptions/commands/subscriptions/set-commitment.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { CommitmentInput } from './commitments.ts';

const CommitmentTiming = builder.enumType('CommitmentTiming', {
  description: 'The billing period with which a commitment changes.',
  values: described(endTimings, {
    immediately: 'The change applies to the current billing period already.',
    at_end_of_current_billing_period: 'The change applies from the next billing period on.',
  }),
});

mutation('setCommitment', {
  returns: [Subscription, 'The subscription with its commitment.'],
  description:
    'Commits the customer of a subscription to an amount in each term. An earlier commitment ends, and its running term is reckoned with its periods so far. Errors: NOT_FOUND; BAD_REQUEST for a subscription that is free, never charged or ended, or has no billing periods. BAD_REQUEST also for a term that billing periods do not fill.',
  args: {
    id: id('The id of the subscription.'),
    commitment: of(CommitmentInput, 'The commitment.'),
    timing: nullable.of(CommitmentTiming, 'The first billing period; the current one when absent.'),
  },
  input: setCommitmentInput,
  command: setCommitment,
});

mutation('endCommitment', {
  returns: [Subscription, 'The subscription whose commitment ends.'],
  description:
    'Ends the commitment of a subscription; its running term is reckoned with its periods so far. A subscription without a commitment is returned unchanged. Errors: NOT_FOUND.',
  args: {
    id: id('The id of the subscription.'),
    timing: of(CommitmentTiming, 'Whether the current billing period is still committed.'),
  },
  input: endCommitmentInput,
  command: endCommitment,
});
