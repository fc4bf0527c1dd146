import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** The name of each tab in the address, its label, and its content while it is open. */
  readonly tabs: readonly (readonly [name: string, label: string, content: () => ReactNode])[];
  /** The open tab; the first one when absent. */
  readonly value: string | undefined;
  /** Opens a tab; the first one is undefined. */
  readonly onChange: (tab: string | undefined) => void;
  /** Whether narrow windows scroll the tabs; otherwise they have more lines. */
  readonly isScrolling?: boolean;
}

/** The parts of a page, of which one is shown. */
export function PageTabs({ tabs, value, onChange, isScrolling = false }: Props) {
  const first = tabs[0]?.[0];
  return (
    <Tabs
      value={value ?? first ?? null}
      onChange={(tab) => onChange(tab === first || !tab ? undefined : tab)}
      keepMounted={false}
    >
      <Tabs.List mb="md" {...(isScrolling && { style: { flexWrap: 'nowrap', overflowX: 'auto' } })}>
        {tabs.map(([name, label]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([name, , content]) => (
        <Tabs.Panel key={name} value={name}>
          {name === (value ?? first) && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
