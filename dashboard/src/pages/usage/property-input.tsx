import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { entriesOf } from './properties.ts';
import { PropertiesOfUsageDocument } from './usage.generated.ts';

interface Props {
  readonly meter: string;
  readonly value: string;
  readonly onChange: (name: string | undefined) => void;
}

/** The property by whose values the chart is divided. Names of recent events are offered. */
export function PropertyInput({ meter, value, onChange }: Props) {
  const [{ data }] = useQuery({ query: PropertiesOfUsageDocument, variables: { meter } });
  const names = new Set(
    data?.usageEvents.nodes.flatMap(({ properties }) =>
      entriesOf(properties).map(([name]) => name),
    ),
  );
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (name: string) => onChange(name.trim() || undefined);
  return (
    <Autocomplete
      size="xs"
      w={150}
      aria-label="Divide by a property"
      placeholder="By property"
      data={[...names].sort()}
      clearable
      value={text}
      onChange={setText}
      onOptionSubmit={apply}
      onClear={() => apply('')}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      onBlur={() => text.trim() !== value && apply(text)}
    />
  );
}
