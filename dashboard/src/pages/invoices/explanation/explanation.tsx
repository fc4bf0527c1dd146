import { Accordion, Alert, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '../../../icons/icons.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { ExplainedLineText } from './explained-line.tsx';
import { ExplainedTotals } from './explained-totals.tsx';
import { ExplainInvoiceDocument } from './explanation.generated.ts';
import { type Explained, reasonOf } from './explanation-texts.ts';

interface Props {
  readonly id: string;
  readonly customerId: string;
}

/** The derivation of each amount of an invoice, computed again from the stored records. */
export function Explanation({ id, customerId }: Props) {
  const { data, error, reload } = useLive(
    ExplainInvoiceDocument,
    { id },
    { kinds: ['invoice', 'payment', 'credit_note', 'usage_event'], customerId },
  );
  const explained = data?.explainInvoice;
  if (error && !explained) return <Failure error={error} onRetry={reload} />;
  if (!explained) return <Skeleton h={240} role="status" aria-label="Loading" />;
  const { invoice, lines } = explained;
  return (
    <Stack>
      <Verification explained={explained} />
      <Text size="sm" dir="auto">
        {reasonOf(invoice)}
      </Text>
      <Section title="Lines">
        <Accordion
          variant="separated"
          multiple
          defaultValue={lines.slice(0, 3).map(({ lineItem }) => lineItem.id)}
        >
          {lines.map((line) => (
            <Accordion.Item key={line.lineItem.id} value={line.lineItem.id}>
              <Accordion.Control>
                <Group justify="space-between" gap="xs" wrap="nowrap" fz="sm" me="sm">
                  <Text size="sm" span dir="auto" style={{ overflowWrap: 'anywhere' }}>
                    {line.lineItem.description ?? 'A line without a description'}
                  </Text>
                  <Money amount={line.amount} currency={invoice.currency} fw={600} />
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <ExplainedLineText line={line} explained={explained} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Section>
      <ExplainedTotals explained={explained} />
    </Stack>
  );
}

function Verification({ explained }: { readonly explained: Explained }) {
  const { verified, differences, lines } = explained;
  if (!verified) {
    return (
      <Alert
        color="red"
        title="The records do not lead to these amounts"
        role="alert"
        icon={<IconAlertTriangle size={18} />}
      >
        <List size="sm">
          {differences.map((difference) => (
            <List.Item key={difference}>{difference}</List.Item>
          ))}
        </List>
      </Alert>
    );
  }
  const events = lines
    .flatMap(({ usage }) => usage)
    .reduce((sum, { events }) => sum + events.count, 0);
  return (
    <Alert color="teal" title="Verified now" icon={<IconCircleCheck size={18} />}>
      Every amount was computed again from the stored records, and is equal.
      {events > 0 &&
        ` The ${numberText(events)} usage events behind it were compared with their digests.`}
    </Alert>
  );
}
