import { Code, Drawer, Stack, Text, Timeline } from '@mantine/core';
import { instantText } from '../../parts/texts/days.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import type { Delivery } from './delivery.ts';

interface Props {
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
}

/** The attempts of a delivery, with the answers of the endpoint. */
export function AttemptsDrawer({ delivery, onClose }: Props) {
  return (
    <Drawer
      opened={delivery !== undefined}
      onClose={onClose}
      position="right"
      title={delivery?.eventType}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Timeline bulletSize={12} lineWidth={2}>
        {delivery?.attempts.map(
          ({ at, responseStatus, error, durationMilliseconds, responseBody }) => (
            <Timeline.Item key={at} title={responseStatus ?? error ?? 'No answer'}>
              <Stack gap={4}>
                <Dimmed>
                  {instantText(at)}, {durationMilliseconds} ms
                </Dimmed>
                {responseBody && <Code block>{responseBody.slice(0, 2_000)}</Code>}
              </Stack>
            </Timeline.Item>
          ),
        )}
      </Timeline>
      {delivery?.nextAttemptAt && (
        <Text size="sm" mt="md">
          Next attempt: {instantText(delivery.nextAttemptAt)}
        </Text>
      )}
    </Drawer>
  );
}
