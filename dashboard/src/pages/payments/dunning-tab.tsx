import { Stack, Title } from '@mantine/core';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { DunnedSubscriptions } from './dunned-subscriptions.tsx';
import type { PaymentsQueryVariables } from './payments.generated.ts';
import { PaymentsTable } from './payments-table.tsx';
import { RecoverySection } from './recovery-section.tsx';

const failed: PaymentsQueryVariables['where'] = { status: { in: ['failed', 'requires_action'] } };

/** Failing payments: the subscriptions that are retried, the attempts that failed, and the amounts that were recovered. */
export function DunningTab({ filters }: { readonly filters: Filters }) {
  return (
    <Stack gap="lg">
      <section aria-label="Subscriptions that are not paid">
        <Title order={2} size="h5" mb="sm">
          Subscriptions that are not paid
        </Title>
        <DunnedSubscriptions />
      </section>
      <RecoverySection filters={filters} />
      <section aria-label="Attempts that failed">
        <Title order={2} size="h5" mb="sm">
          Attempts that failed
        </Title>
        <PaymentsTable where={failed} height="420px" />
      </section>
    </Stack>
  );
}
