import { Box, Breadcrumbs, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ShowAsApi } from '../console/show-as-api.tsx';
import { PageLink } from './texts/small-texts.tsx';

interface Props {
  readonly title: string;
  /** The heading, where it is more than the title. */
  readonly heading?: ReactNode;
  /** The pages above this one: their names and paths. */
  readonly above?: readonly (readonly [name: string, path: string])[];
  /** Buttons of the page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, its actions, and the way to see it as API. */
export function Page({ title, heading, above = [], actions, children }: Props) {
  useDocumentTitle(`${title} · Tollgate`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box miw={0} maw="100%">
          {above.length > 0 && (
            <Breadcrumbs mb={4} component="nav" aria-label="Pages above">
              {above.map(([name, path]) => (
                <PageLink
                  key={path}
                  to={path}
                  dir="auto"
                  truncate="end"
                  maw={{ base: 200, xs: 360 }}
                >
                  {name}
                </PageLink>
              ))}
            </Breadcrumbs>
          )}
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }} dir="auto">
            {heading ?? title}
          </Title>
        </Box>
        <Group gap="xs">
          {actions}
          <ShowAsApi />
        </Group>
      </Group>
      {children}
    </Stack>
  );
}
