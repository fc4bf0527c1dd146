import { Badge, Group, Stack, Text } from '@mantine/core';
import { wordsOf } from '../parts/texts/formats.ts';
import type { Effects } from './effects.ts';
import { MoneyEffects } from './money-effects.tsx';

/** The exact effects of a command, before it is executed. */
export function EffectsList({ effects }: { readonly effects: Effects }) {
  const { entitlements, events } = effects;
  if (events.length === 0) return <Text size="sm">Nothing would change.</Text>;
  return (
    <Stack gap="sm">
      <MoneyEffects effects={effects} />
      {entitlements.length > 0 && (
        <Text size="sm">
          {entitlements.length}{' '}
          {entitlements.length === 1 ? 'entitlement changes' : 'entitlements change'}
        </Text>
      )}
      <Group gap={6}>
        {countsOf(events.map(({ type }) => type)).map(([type, count]) => (
          <Badge key={type} variant="default" tt="none" fw={500}>
            {wordsOf(type)}
            {count > 1 && ` × ${count}`}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

function countsOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
