import { Accordion, Alert, List, Skeleton, Stack, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { dayText, numberText } from '../../parts/formats.ts';
import { Money } from '../../parts/money.tsx';
import { ExplainInvoiceDocument, type ExplainInvoiceQuery } from './invoice.generated.ts';

type Line = NonNullable<ExplainInvoiceQuery['explainInvoice']>['lines'][number];

/** The derivation of each amount of an invoice, computed again from the stored records. */
export function Explanation({ id, currency }: { readonly id: string; readonly currency: string }) {
  const { data, error, reload } = useLive(ExplainInvoiceDocument, { id }, { kinds: ['invoice'] });
  const explained = data?.explainInvoice;
  if (error && !explained) return <Failure error={error} onRetry={reload} />;
  if (!explained) return <Skeleton h={160} />;
  return (
    <Stack>
      {explained.verified ? (
        <Alert color="teal" title="Verified">
          Every amount was computed again from the stored records, and is equal.
        </Alert>
      ) : (
        <Alert color="red" title="Different" role="alert">
          <List size="sm">
            {explained.differences.map((difference) => (
              <List.Item key={difference}>{difference}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Accordion variant="separated" multiple>
        {explained.lines.map((line) => (
          <Accordion.Item key={line.lineItem.id} value={line.lineItem.id}>
            <Accordion.Control>
              <Text size="sm" span>
                {line.lineItem.description}{' '}
                <Money amount={line.amount} currency={currency} fw={600} />
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <LineSteps line={line} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Steps steps={explained.steps} />
    </Stack>
  );
}

function LineSteps({ line: { steps, usage } }: { readonly line: Line }) {
  return (
    <Stack gap="xs">
      <Steps steps={steps} />
      {usage.map(({ billingPeriod, used, covered, billed, events, isCorrection }) => (
        <Text key={`${billingPeriod.id}${isCorrection}`} size="sm" c="dimmed">
          {dayText(billingPeriod.startDate)} – {dayText(billingPeriod.endDate)}: {numberText(used)}{' '}
          used in {numberText(events.count)} events, {numberText(covered)} covered by credits,{' '}
          {numberText(billed)} billed{isCorrection && ', as a correction'}
        </Text>
      ))}
    </Stack>
  );
}

function Steps({ steps }: { readonly steps: readonly string[] }) {
  return (
    <List type="ordered" size="sm" spacing={4}>
      {steps.map((step) => (
        <List.Item key={step}>{step}</List.Item>
      ))}
    </List>
  );
}
