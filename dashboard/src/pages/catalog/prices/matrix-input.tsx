import { ActionIcon, Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '../../../icons/icons.tsx';
import { type CellFields, emptyCell, type ModelFields } from './price-model.ts';
import { UnitPriceInput } from './unit-price-input.tsx';

interface Props {
  readonly fields: ModelFields;
  readonly currency: string;
  readonly onChange: (changes: Partial<ModelFields>) => void;
}

const mostDimensions = 3;

/** The prices of a unit by up to three properties of its event. */
export function MatrixInput({ fields, currency, onChange }: Props) {
  const { dimensions, cells, otherUnitPrice } = fields;
  const change = (key: string, changes: Partial<CellFields>) =>
    onChange({ cells: cells.map((cell) => (cell.key === key ? { ...cell, ...changes } : cell)) });
  return (
    <Fieldset legend="Prices by properties" p="sm">
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          {dimensions.map((name, place) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its place.
              key={place}
              label={`Property ${place + 1}`}
              placeholder="such as region"
              flex={1}
              miw={110}
              value={name}
              onChange={({ currentTarget: { value } }) =>
                onChange({ dimensions: dimensions.map((old, at) => (at === place ? value : old)) })
              }
            />
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            mt={29}
            disabled={dimensions.length === mostDimensions}
            onClick={() => onChange({ dimensions: [...dimensions, ''] })}
          >
            Add a property
          </Button>
          {dimensions.length > 1 && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              mt={29}
              onClick={() => onChange({ dimensions: dimensions.slice(0, -1) })}
            >
              Remove the last one
            </Button>
          )}
        </Group>
        {cells.map(({ key, values, unitPrice }, row) => (
          <Group
            key={key}
            gap="xs"
            align="flex-start"
            role="group"
            aria-label={`Combination ${row + 1}`}
          >
            {dimensions.map((name, place) => (
              <TextInput
                // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its place.
                key={place}
                label={name || `Property ${place + 1}`}
                flex="1 1 90px"
                value={values[place] ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  change(key, {
                    values: dimensions.map((_, at) => (at === place ? value : (values[at] ?? ''))),
                  })
                }
              />
            ))}
            <UnitPriceInput
              label="Each unit"
              currency={currency}
              value={unitPrice}
              onChange={(unitPrice) => change(key, { unitPrice })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              mt={26}
              disabled={cells.length === 1}
              aria-label={`Remove combination ${row + 1}`}
              onClick={() => onChange({ cells: cells.filter((cell) => cell.key !== key) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ cells: [...cells, emptyCell()] })}
        >
          Add a combination
        </Button>
        <UnitPriceInput
          label="Each unit of any other combination"
          currency={currency}
          value={otherUnitPrice}
          onChange={(otherUnitPrice) => onChange({ otherUnitPrice })}
        />
      </Stack>
    </Fieldset>
  );
}
