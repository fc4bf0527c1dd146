import { Fieldset } from '@mantine/core';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { DecimalField } from '../../../parts/fields/number-field.tsx';
import { RowsInput } from '../../../parts/fields/rows-input.tsx';
import { emptyTier, type ModelFields, type TierFields } from './price-model.ts';
import { UnitPriceInput } from './unit-price-input.tsx';

interface Props {
  readonly model: ModelFields['model'];
  readonly tiers: readonly TierFields[];
  readonly currency: string;
  readonly onChange: (tiers: readonly TierFields[]) => void;
}

/** The tiers of a price. The last one has no end. */
export function TiersInput({ model, tiers, currency, onChange }: Props) {
  return (
    <Fieldset legend={model === 'stairstep' ? 'Steps' : 'Tiers'} p="sm">
      <RowsInput rows={tiers} onChange={onChange} name="tier" add="Add a tier" newRow={emptyTier}>
        {({ upTo, unitPrice, flatFee }, change, place) => (
          <>
            <DecimalField
              label="Up to"
              w={96}
              decimals={9}
              disabled={place === tiers.length - 1}
              placeholder={place === tiers.length - 1 ? 'No end' : ''}
              value={place === tiers.length - 1 ? '' : upTo}
              onChange={(upTo) => change({ upTo })}
            />
            {model !== 'stairstep' && (
              <UnitPriceInput
                label="Each unit"
                currency={currency}
                value={unitPrice}
                onChange={(unitPrice) => change({ unitPrice })}
              />
            )}
            <AmountInput
              label={model === 'stairstep' ? 'Amount' : 'Fixed amount'}
              flex="1 1 120px"
              currency={currency}
              value={flatFee}
              onChange={(flatFee) => change({ flatFee })}
            />
          </>
        )}
      </RowsInput>
    </Fieldset>
  );
}
