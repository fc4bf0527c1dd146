import { Badge } from '@mantine/core';
import { wordsOf } from './formats.ts';

const colors: Readonly<Record<string, string>> = {
  active: 'teal',
  trialing: 'blue',
  paid: 'teal',
  succeeded: 'teal',
  completed: 'teal',
  delivered: 'teal',
  sent: 'teal',
  caught: 'gray',
  uncertain: 'orange',
  open: 'blue',
  processing: 'blue',
  pending: 'blue',
  scheduled: 'blue',
  draft: 'gray',
  paused: 'gray',
  past_due: 'orange',
  awaiting_payment_confirmation: 'orange',
  requires_action: 'orange',
  requires_payment_method: 'orange',
  cancellation_scheduled: 'orange',
  incomplete: 'orange',
  needs_response: 'orange',
  unpaid: 'red',
  failed: 'red',
  lost: 'red',
  dead: 'red',
  uncollectible: 'red',
  won: 'teal',
  prevented: 'teal',
  under_review: 'blue',
  inquiry: 'orange',
  opened: 'orange',
  disputed: 'orange',
  settled: 'teal',
  received: 'teal',
  expected: 'blue',
};

/** The state of a record, as a word and as a color. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge
      variant="light"
      color={colors[status] ?? 'gray'}
      radius="sm"
      tt="none"
      fw={600}
      miw="max-content"
    >
      {wordsOf(status)}
    </Badge>
  );
}
