import { Group, Stack, Text } from '@mantine/core';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Mark, Remark } from '../../parts/texts/small-texts.tsx';

interface Change {
  readonly type: string;
  readonly slug?: string | null;
  readonly owner?: string | null;
  readonly reason: string;
  readonly fields?: readonly {
    readonly name: string;
    readonly from?: unknown;
    readonly to?: unknown;
  }[];
}

/** The changes that a catalog document makes. */
export interface CatalogPlan {
  /** The state of the catalog before them. */
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
  const counts = kinds.filter(([kind]) => plan[kind].length > 0);
  if (counts.length === 0) {
    return <Text size="sm">The catalog is as the document states: nothing would change.</Text>;
  }
  return (
    <Stack gap={8} component="section" aria-label="Plan">
      <Text size="sm" fw={600}>
        {counts
          .map(([kind, label]) => `${numberText(plan[kind].length)} to ${label.toLowerCase()}`)
          .join(', ')}
      </Text>
      {counts.flatMap(([kind, label, color]) =>
        plan[kind].map((change) => (
          <Row
            key={`${kind} ${change.type} ${change.owner} ${change.slug} ${change.reason}`}
            change={change}
            label={label}
            color={color}
          />
        )),
      )}
    </Stack>
  );
}

interface RowProps {
  readonly change: Change;
  readonly label: string;
  readonly color: string;
}

function Row({ change: { type, slug, owner, reason, fields = [] }, label, color }: RowProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Mark color={color} w={76} style={{ flexShrink: 0 }}>
        {label}
      </Mark>
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {wordsOf(type)} {slug && <b>{slug}</b>}
          {owner && ` of ${owner}`}: {reason}
        </Text>
        {fields.map(({ name, from, to }) => (
          <Remark key={name} style={{ overflowWrap: 'anywhere' }}>
            {wordsOf(name)}: <del>{valueText(from)}</del> → <ins>{valueText(to)}</ins>
          </Remark>
        ))}
      </div>
    </Group>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
