import { AppShell, Burger, Container, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { LiveState } from './live-state.tsx';
import { LostNotice } from './lost-notice.tsx';
import { ModeBadge } from './mode-badge.tsx';
import { Navigation } from './navigation.tsx';
import { Search } from './search.tsx';
import { SkipLink } from './skip-link.tsx';

/** The frame around each page. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const content = useRef<HTMLElement>(null);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <SkipLink to={content} />
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
            />
            <Brand />
            <ModeBadge />
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Search />
            <LiveState />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" style={{ overflowY: 'auto' }}>
        <Navigation onOpen={close} />
      </AppShell.Navbar>
      <AppShell.Main ref={content} tabIndex={-1} style={{ outline: 'none' }}>
        <LostNotice />
        <Container size={1320} px={0}>
          <Outlet />
          <Text component="footer" size="xs" c="dimmed" mt="xl">
            Days and times are those of UTC, as billing periods are. Your own time is shown on
            hover.
          </Text>
        </Container>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  );
}
