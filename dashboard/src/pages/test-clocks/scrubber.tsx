import { Alert, Group, Slider, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { CommandButton, PageButton } from '../../commands/command-button.tsx';
import { useMissingScope } from '../../commands/permissions.tsx';
import { IconPlayerPause, IconPlayerPlay } from '../../icons/icons.tsx';
import { Section } from '../../parts/section.tsx';
import { dayText, instantText } from '../../parts/texts/days.ts';
import { AdvanceTestClockDocument, type OneTestClockQuery } from './test-clocks.generated.ts';

type Clock = NonNullable<OneTestClockQuery['testClock']>;

const day = 86_400_000;
const days = 366;
const steps = [
  ['1 day', 1],
  ['1 week', 7],
  ['1 month', 30],
] as const;
const playDays = 7;

/** Moves a test clock: to a day on the line, by a step, or week after week until it is paused. */
export function Scrubber({ clock }: { readonly clock: Clock }) {
  const { id, frozenTime, status } = clock;
  const client = useClient();
  const isRefused = useMissingScope('advanceTestClock') !== undefined;
  const [begin] = useState(frozenTime);
  const [isPlaying, setPlaying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [wanted, setWanted] = useState<number>();
  const isMoving = status === 'advancing' || wanted !== undefined;

  const advance = useCallback(
    async (to: number) => {
      setWanted(to);
      setProblem(undefined);
      const variables = { id, frozenTime: Math.round(to) };
      const { error } = await client.mutation(AdvanceTestClockDocument, variables).toPromise();
      setWanted(undefined);
      if (!error) return;
      setProblem(error.message.replace(/^\[\w+\] /, ''));
      setPlaying(false);
    },
    [client, id],
  );

  useEffect(() => {
    if (!isPlaying || isMoving) return;
    if (frozenTime >= begin + days * day) return setPlaying(false);
    void advance(frozenTime + playDays * day);
  }, [isPlaying, isMoving, frozenTime, begin, advance]);

  const shown = wanted ?? frozenTime;
  return (
    <Section title="Time">
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text fz={26} fw={700}>
          {instantText(frozenTime)}
        </Text>
        <Slider
          thumbLabel="The clock’s time"
          min={0}
          max={days}
          value={Math.max(0, Math.min(days, Math.round((shown - begin) / day)))}
          label={(value) => dayText(begin + value * day)}
          disabled={isMoving || isRefused}
          onChangeEnd={(value) => {
            if (begin + value * day > frozenTime) void advance(begin + value * day);
          }}
          marks={[73, 183, 293].map((value) => ({
            value,
            label: dayText(begin + value * day),
          }))}
          mb="lg"
          mx={44}
        />
        <Group gap="xs">
          <PageButton
            does="advanceTestClock"
            leftSection={isPlaying ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
            onClick={() => setPlaying(!isPlaying)}
          >
            {isPlaying ? 'Pause' : 'Play a year'}
          </PageButton>
          {steps.map(([label, count]) => (
            <CommandButton
              does="advanceTestClock"
              key={label}
              size="xs"
              variant="default"
              disabled={isMoving || isPlaying}
              onClick={() => void advance(frozenTime + count * day)}
            >
              + {label}
            </CommandButton>
          ))}
          {isMoving && (
            <Text size="sm" c="dimmed" role="status">
              Advancing
            </Text>
          )}
        </Group>
      </Stack>
    </Section>
  );
}
