import { Button, Center, Group, Stack, Title } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Dimmed } from '../parts/texts/small-texts.tsx';

/** The page for an unknown address, or for a page that failed. */
export function ProblemPage() {
  const error = useRouteError() as Error | undefined;
  return (
    <Center mih="50vh" p="md">
      <Stack align="center" ta="center" maw={440}>
        <Title order={1} size="h3">
          {error ? 'This page failed' : 'There is no such page'}
        </Title>
        <Dimmed>
          {error?.message ?? 'The address may be mistyped, or the record is of another mode.'}
        </Dimmed>
        <Group>
          {error && (
            <Button variant="default" onClick={() => location.reload()}>
              Load it again
            </Button>
          )}
          <Button component={Link} to="/">
            Home
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
