import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { RowsInput } from '../../../parts/fields/rows-input.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { emptyCell, type ModelFields } from './price-model.ts';
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
  return (
    <Fieldset legend="Prices by properties" p="sm">
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          {dimensions.map((name, place) => (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its place.
              key={place}
              label={`Property ${place + 1}`}
              placeholder="such as region"
              flex={1}
              miw={110}
              value={name}
              onChange={(value) =>
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
        <RowsInput
          rows={cells}
          onChange={(cells) => onChange({ cells })}
          name="combination"
          add="Add a combination"
          newRow={emptyCell}
        >
          {({ values, unitPrice }, change) => (
            <>
              {dimensions.map((name, place) => (
                <TextField
                  // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its place.
                  key={place}
                  label={name || `Property ${place + 1}`}
                  flex="1 1 90px"
                  value={values[place] ?? ''}
                  onChange={(value) =>
                    change({
                      values: dimensions.map((_, at) =>
                        at === place ? value : (values[at] ?? ''),
                      ),
                    })
                  }
                />
              ))}
              <UnitPriceInput
                label="Each unit"
                currency={currency}
                value={unitPrice}
                onChange={(unitPrice) => change({ unitPrice })}
              />
            </>
          )}
        </RowsInput>
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
