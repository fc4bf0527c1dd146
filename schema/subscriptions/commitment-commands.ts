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
import { byCommand } from '../engine/by-command.ts';
import { described } from '../engine/described.ts';
import { payload } from '../engine/payload.ts';
import { CommitmentInput } from './commitments.ts';

const CommitmentTiming = builder.enumType('CommitmentTiming', {
  description: 'The billing period with which a commitment changes.',
  values: described(endTimings, {
    immediately: 'The change applies to the current billing period already.',
    at_end_of_current_billing_period: 'The change applies from the next billing period on.',
  }),
});

builder.mutationFields((t) => ({
  setCommitment: t.field({
    type: payload('setCommitment', Subscription, 'The subscription with its commitment.'),
    description:
      'Commits the customer of a subscription to an amount in each term. An earlier commitment ends, and its running term is reckoned with its periods so far. Errors: NOT_FOUND; BAD_REQUEST for a subscription that is free, never charged or ended, or has no billing periods. BAD_REQUEST also for a term that billing periods do not fill.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      commitment: t.arg({
        type: CommitmentInput,
        required: true,
        description: 'The commitment.',
      }),
      timing: t.arg({
        type: CommitmentTiming,
        description: 'The first billing period; the current one when absent.',
      }),
    },
    ...byCommand(setCommitmentInput, setCommitment),
  }),
  endCommitment: t.field({
    type: payload('endCommitment', Subscription, 'The subscription whose commitment ends.'),
    description:
      'Ends the commitment of a subscription; its running term is reckoned with its periods so far. A subscription without a commitment is returned unchanged. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      timing: t.arg({
        type: CommitmentTiming,
        required: true,
        description: 'Whether the current billing period is still committed.',
      }),
    },
    validate: { schema: endCommitmentInput },
    resolve: (_root, args, session) => endCommitment(session, args),
  }),
}));
