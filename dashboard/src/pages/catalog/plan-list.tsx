import { Badge, Group, Stack, Text } from '@mantine/core';
import { wordsOf } from '../../parts/formats.ts';

interface Change {
  readonly type: string;
  readonly slug?: string | null;
  readonly owner?: string | null;
  readonly reason: string;
}

/** The changes that a catalog document makes. */
export interface CatalogPlan {
  readonly state: string;
  readonly created: readonly Change[];
  readonly changed: readonly Change[];
  readonly retired: readonly Change[];
}

const kinds = [
  ['created', 'Create', 'teal'],
  ['changed', 'Change', 'blue'],
  ['retired', 'Retire', 'orange'],
] as const;

/** A plan, change by change. */
export function PlanList({ plan }: { readonly plan: CatalogPlan }) {
  const count = plan.created.length + plan.changed.length + plan.retired.length;
  if (count === 0) return <Text size="sm">No changes.</Text>;
  return (
    <Stack gap={6} component="section" aria-label="Plan">
      {kinds.flatMap(([kind, label, color]) =>
        plan[kind].map(({ type, slug, owner, reason }) => (
          <Group
            key={`${kind} ${type} ${owner} ${slug} ${reason}`}
            gap="xs"
            wrap="nowrap"
            align="baseline"
          >
            <Badge color={color} variant="light" tt="none" radius="sm" style={{ flexShrink: 0 }}>
              {label}
            </Badge>
            <Text size="sm">
              {wordsOf(type)} <b>{slug}</b>: {reason}
            </Text>
          </Group>
        )),
      )}
    </Stack>
  );
}
