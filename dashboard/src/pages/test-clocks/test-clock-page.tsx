import { Grid, Stack } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { ConfirmButton } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { Stat } from '../../parts/charts/stat.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Ticker } from '../home/ticker.tsx';
import { Business } from './business.tsx';
import { Scrubber } from './scrubber.tsx';
import { DeleteTestClockDocument, OneTestClockDocument } from './test-clocks.generated.ts';

const deleteTestClock = {
  does: 'deleteTestClock',
  document: DeleteTestClockDocument,
  title: 'Delete the test clock',
  label: 'Delete with all its customers',
  opener: 'Delete',
  color: 'red',
  isDangerous: true,
  done: 'The test clock is deleted',
} as const;

/** A test clock: move it, and watch what happens to its customers. */
function TestClockPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const result = useLive(OneTestClockDocument, { id }, { kinds: ['test_clock', 'customer'] });
  const hasCustomers = (result.data?.customers.totalCount ?? 0) > 0;
  return (
    <RecordOr result={result} record={result.data?.testClock} name="test clock">
      {(clock) => (
        <Page
          title={clock.name ?? clock.id}
          above={[['Test clocks', '/test-clocks']]}
          actions={
            <ConfirmButton
              command={deleteTestClock}
              variables={{ id: clock.id }}
              onDone={() => navigate('/test-clocks')}
              size="xs"
              variant="light"
            />
          }
        >
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Scrubber clock={clock} />
              <Stack mt="md">
                <Stat
                  label="Customers"
                  value={numberText(result.data?.customers.totalCount ?? 0)}
                  to={`/customers?clock=${clock.id}`}
                />
                {hasCustomers && <Business now={clock.frozenTime} />}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>{hasCustomers && <Ticker />}</Grid.Col>
          </Grid>
        </Page>
      )}
    </RecordOr>
  );
}

export { TestClockPage as Component };
