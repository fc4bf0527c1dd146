import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { usePreview } from '../../../commands/use-preview.ts';
import { FieldProblems } from '../../../parts/fields/field-problems.tsx';
import { DecimalField } from '../../../parts/fields/number-field.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { type PricePart, PriceParts } from '../../../parts/texts/price-parts.tsx';
import type { PriceFields } from './price-fields.tsx';
import type { ModelFields } from './price-model.ts';

/** A quantity for which a new price is computed. */
interface Example {
  /** A decimal; empty for none. */
  readonly quantity: string;
  /** The place of a matrix cell; null for values of none. */
  readonly cell: number | null;
}

const useExample = () => useState<Example>({ quantity: '10', cell: null });

/** The variables of an example calculation. */
function exampleOf({ quantity, cell }: Example, { dimensions, cells }: ModelFields) {
  const values = cell === null ? undefined : cells[cell]?.values;
  return {
    quantity: quantity || '0',
    properties: values
      ? Object.fromEntries(dimensions.map((name, place) => [name.trim(), values[place] ?? '']))
      : null,
  };
}

interface Props {
  readonly example: Example;
  readonly onChange: (example: Example) => void;
  readonly fields: ModelFields;
  readonly currency: string;
  readonly perUnit: number;
  /** The amount as the service computes it; undefined until then. */
  readonly cost: { readonly amount: number; readonly parts: readonly PricePart[] } | undefined;
}

/** An example calculation of a price that does not exist yet, by the service. */
function PriceExample({ example, onChange, fields, currency, perUnit, cost }: Props) {
  const { quantity, cell } = example;
  return (
    <section aria-label="Example">
      <Group gap="xs" align="flex-start">
        {/* The quantity is not sent, so it does not block the form around it. */}
        <FieldProblems>
          <DecimalField
            label="Example quantity"
            w={170}
            decimals={9}
            value={quantity}
            onChange={(quantity) => onChange({ ...example, quantity })}
          />
        </FieldProblems>
        {fields.model === 'matrix' && (
          <Select
            label="With"
            data={[
              { value: '', label: 'other properties' },
              ...fields.cells.map(({ values }, place) => ({
                value: String(place),
                label: values.join(' · '),
              })),
            ]}
            value={cell === null ? '' : String(cell)}
            onChange={(value) => onChange({ ...example, cell: value ? Number(value) : null })}
            allowDeselect={false}
            flex={1}
          />
        )}
      </Group>
      {quantity && cost && (
        <Text size="sm" mt={6}>
          {numberText(Number(quantity))} {perUnit > 1 ? 'of usage ' : ''}cost{' '}
          <Money amount={cost.amount} currency={currency} fw={600} />
        </Text>
      )}
      {quantity && cost && <PriceParts parts={cost.parts} currency={currency} perUnit={perUnit} />}
    </section>
  );
}

interface Asked<Data, Variables> {
  /** The command that creates the price, with the cost of the example in its answer. */
  readonly document: TypedDocumentNode<Data, Variables & ReturnType<typeof exampleOf>>;
  /** Undefined while the form is incomplete. */
  readonly variables: Variables | undefined;
  readonly costOf: (data: Data) => Props['cost'];
  readonly fields: PriceFields;
  readonly perUnit: number;
}

/** The example calculation of a form; nothing while it is incomplete. */
export function usePriceExample<Data, Variables extends object>(asked: Asked<Data, Variables>) {
  const { document, variables, costOf, fields, perUnit } = asked;
  const [example, setExample] = useExample();
  const { data } = usePreview(
    document,
    variables && { ...variables, ...exampleOf(example, fields.model) },
  );
  return (
    variables && (
      <PriceExample
        example={example}
        onChange={setExample}
        fields={fields.model}
        currency={fields.currency}
        perUnit={perUnit}
        cost={data && costOf(data)}
      />
    )
  );
}
