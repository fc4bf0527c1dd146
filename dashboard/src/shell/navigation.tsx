import { NavLink, Stack } from '@mantine/core';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { serviceUrl } from '../base.ts';
import {
  IconBell,
  IconBook2,
  IconBuildingStore,
  IconChartBar,
  IconClockPlay,
  IconCreditCard,
  IconFileInvoice,
  IconHome,
  IconRefresh,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '../icons/icons.tsx';
import { Remark } from '../parts/texts/small-texts.tsx';

const groups = [
  ['', [['Home', '/', IconHome]]],
  [
    'Billing',
    [
      ['Customers', '/customers', IconUsers],
      ['Subscriptions', '/subscriptions', IconRefresh],
      ['Invoices', '/invoices', IconFileInvoice],
      ['Payments', '/payments', IconCreditCard],
      ['Usage', '/usage', IconChartBar],
    ],
  ],
  ['Selling', [['Catalog', '/catalog', IconBuildingStore]]],
  [
    'Developers',
    [
      ['Events', '/events', IconBell],
      ['Webhooks', '/webhooks', IconWebhook],
      ['Test clocks', '/test-clocks', IconClockPlay],
    ],
  ],
  ['', [['Settings', '/settings', IconSettings]]],
] as const;

/** The links to all pages. */
export function Navigation({ onOpen }: { readonly onOpen: () => void }) {
  const { pathname } = useLocation();
  return (
    <Stack gap="md" component="nav" aria-label="Pages" h="100%">
      {groups.map(([group, links]) => (
        <div key={group || links[0][0]}>
          {group && (
            <Remark fw={600} px="sm" mb={4}>
              {group}
            </Remark>
          )}
          {links.map(([name, path, Icon]) => (
            <NavLink
              key={path}
              component={RouterLink}
              to={path}
              label={name}
              leftSection={<Icon size={18} stroke={1.7} />}
              active={path === '/' ? pathname === '/' : pathname.startsWith(path)}
              onClick={onOpen}
              style={{ borderRadius: 'var(--mantine-radius-sm)' }}
            />
          ))}
        </div>
      ))}
      <NavLink
        mt="auto"
        href={new URL('docs', serviceUrl).href}
        label="Documentation"
        leftSection={<IconBook2 size={18} stroke={1.7} />}
        style={{ borderRadius: 'var(--mantine-radius-sm)' }}
      />
    </Stack>
  );
}
