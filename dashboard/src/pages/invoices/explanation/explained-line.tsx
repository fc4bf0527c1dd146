import { Accordion, Code, Group, List, Stack, Text } from '@mantine/core';
import { IdText } from '../../../parts/texts/id-text.tsx';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import { PeriodText } from '../period-text.tsx';
import { ExplainedUsage } from './explained-usage.tsx';
import { type Explained, type ExplainedLine, ruleOf, stepText } from './explanation-texts.ts';

interface Props {
  readonly line: ExplainedLine;
  readonly explained: Explained;
}

/** The rule, the quantities, the arithmetic and the records behind a line. */
export function ExplainedLineText({ line, explained: { invoice } }: Props) {
  const { billingPeriodStartDate: start, billingPeriodEndDate: end } = invoice;
  const isForPeriod =
    !['usage', 'commitment', 'one_off'].includes(line.lineItem.type) && start && end;
  return (
    <Stack gap="sm">
      <Text size="sm" dir="auto">
        {ruleOf(line, invoice)}
      </Text>
      {isForPeriod && (
        <Group gap="xs" fz="sm">
          <Dimmed>Period</Dimmed>
          <PeriodText start={start} end={end} />
        </Group>
      )}
      {line.usage.length > 0 && (
        <ExplainedUsage
          usage={line.usage}
          currency={invoice.currency}
          subscriptionId={invoice.subscription?.id}
          meterId={line.lineItem.catalogPrice?.usageMeter?.id}
        />
      )}
      <div>
        <Dimmed mb={4}>Computation</Dimmed>
        <List type="ordered" size="sm" spacing={4}>
          {arithmeticOf(line).map((step) => (
            <List.Item key={step} style={{ overflowWrap: 'anywhere' }}>
              <Code fz="sm">{stepText(step)}</Code>
            </List.Item>
          ))}
        </List>
      </div>
      {line.sources.length > 0 && <Sources ids={line.sources} />}
    </Stack>
  );
}

/** The steps without those that the period and the table of usage above them show. */
const arithmeticOf = ({ steps }: ExplainedLine) =>
  steps.filter((step) => !/^(standalone$|(for )?\d{4}-\d\d-\d\dT)/.test(step));

function Sources({ ids }: { readonly ids: readonly string[] }) {
  return (
    <Accordion variant="filled" chevronPosition="left">
      <Accordion.Item value="sources">
        <Accordion.Control fz="sm" px={0}>
          Source records ({ids.length})
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap={4} align="flex-start">
            {[...new Set(ids)].map((id) => (
              <IdText key={id} id={id} />
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
