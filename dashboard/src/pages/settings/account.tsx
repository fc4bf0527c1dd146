import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import {
  ChangePasswordDocument,
  OwnSessionsDocument,
  type OwnSessionsQuery,
  RevokeSessionDocument,
} from './operators.generated.ts';
import { SecondFactor } from './second-factor.tsx';

const revokeSession = {
  does: 'revokeOperatorSession',
  document: RevokeSessionDocument,
  title: 'End the session',
  label: 'End the session',
  opener: 'End',
  color: 'red',
  isDangerous: true,
  done: 'The session has ended',
} as const;

/** The account of the operator: password, second factor and sessions. */
export function Account() {
  const { data, error, reload } = useLive(OwnSessionsDocument, {}, { kinds: ['operator'] });
  const operator = data?.viewer?.operator;
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  if (!operator) return null;
  return (
    <Stack maw={720}>
      {operator.hasPassword && <PasswordForm />}
      <SecondFactor hasSecondFactor={operator.hasSecondFactor} onChange={reload} />
      <Sessions sessions={data.operatorSessions} onChange={reload} />
    </Stack>
  );
}

function PasswordForm() {
  const client = useClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function change() {
    setBusy(true);
    const { error } = await client.mutation(ChangePasswordDocument, { current, next }).toPromise();
    setBusy(false);
    setProblem(error?.message.replace(/^\[\w+\] /, ''));
    if (error) return;
    setCurrent('');
    setNext('');
    notifications.show({ message: 'The password is changed', color: 'teal' });
  }

  return (
    <Section title="Password">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <Stack>
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            required
            value={current}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            required
            value={next}
            error={problem}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" size="xs" loading={isBusy}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

interface SessionsProps {
  readonly sessions: OwnSessionsQuery['operatorSessions'];
  readonly onChange: () => void;
}

function Sessions({ sessions, onChange }: SessionsProps) {
  return (
    <Section title="Sessions">
      <Stack gap="xs">
        {sessions.map(({ id, lastSeenAt, userAgent, isCurrent }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {userAgent ?? 'A browser'}, seen <Instant at={lastSeenAt} isRelative />
            </Text>
            {isCurrent ? (
              <Badge variant="light" tt="none">
                This one
              </Badge>
            ) : (
              <RowConfirm command={revokeSession} variables={{ id }} onDone={onChange} />
            )}
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
