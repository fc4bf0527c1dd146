import { Group, TextInput } from '@mantine/core';
import { TextField } from '../../parts/fields/text-field.tsx';
import { slugOf } from './slug.ts';

/** The name and the slug of a part of the catalog. */
export interface Named {
  readonly name: string;
  readonly slug: string;
}

interface Props {
  readonly value: Named;
  readonly onChange: (value: Named) => void;
  /** Whether the part exists, so that its slug does not follow the name. */
  readonly isKept?: boolean;
}

/** A name, and a slug that follows it until it is typed. */
export function NameAndSlug({ value: { name, slug }, onChange, isKept = false }: Props) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => {
          const follows = !isKept && slug === slugOf(name);
          const typed = currentTarget.value;
          onChange({ name: typed, slug: follows ? slugOf(typed) : slug });
        }}
      />
      <TextField label="Slug" value={slug} onChange={(slug) => onChange({ name, slug })} />
    </Group>
  );
}

/** A name and a slug without spaces around them; undefined while one is empty. */
export function namedOf({ name, slug }: Named): Named | undefined {
  const trimmed = { name: name.trim(), slug: slug.trim() };
  return trimmed.name && trimmed.slug ? trimmed : undefined;
}
