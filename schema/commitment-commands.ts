import { cancellationTimings } from '#domain/subscriptions/cancel-subscription.ts';
import { endCommitment, endCommitmentInput } from '#domain/subscriptions/end-commitment.ts';
import { setCommitment, setCommitmentInput } from '#domain/subscriptions/set-commitment.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { CommitmentInput } from './commitments.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';

const CommitmentTiming = builder.enumType('CommitmentTiming', {
  description: 'The billing period with which a commitment changes.',
  values: described(cancellationTimings, {
    immediately: 'The change applies to the current billing period already.',
    at_end_of_current_billing_period: 'The change applies from the next billing period on.',
  }),
});

builder.mutationFields((t) => ({
  setCommitment: t.field({
    type: Subscription,
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
    validate: { schema: setCommitmentInput },
    resolve: (_root, args, session) => setCommitment(session, args as never),
  }),
  endCommitment: t.field({
    type: Subscription,
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
