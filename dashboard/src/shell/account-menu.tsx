import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconSwitchHorizontal,
  IconUserCircle,
} from '../icons/icons.tsx';
import { isLive } from '../session/access.ts';
import { useSession } from '../session/session.tsx';
import { PricingModelChoice } from './pricing-model-choice.tsx';

/** The caller, the colors of the pages, and the way out. */
export function AccountMenu() {
  const { access, leave, choose } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const live = isLive(access);
  const name =
    access.kind === 'operator'
      ? `${access.operator.name || access.operator.email} · ${access.operator.role}`
      : `Key …${access.key.slice(-4)}`;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label="Account">
          <IconUserCircle size={22} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        {access.kind === 'operator' && (
          <Menu.Item leftSection={<IconSwitchHorizontal size={16} />} onClick={() => choose(!live)}>
            {live ? 'Show test data' : 'Show live data'}
          </Menu.Item>
        )}
        {access.kind === 'operator' && <PricingModelChoice />}
        <Menu.Divider />
        <Menu.Label>Colors</Menu.Label>
        <Menu.Item leftSection={<IconSun size={16} />} onClick={() => setColorScheme('light')}>
          Light
        </Menu.Item>
        <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => setColorScheme('dark')}>
          Dark
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDeviceDesktop size={16} />}
          onClick={() => setColorScheme('auto')}
        >
          As the system
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
