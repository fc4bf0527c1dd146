import { ActionIcon, Button, Fieldset, Group, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '../../../icons/icons.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { DecimalField } from '../../../parts/fields/number-field.tsx';
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
  const change = (key: string, changes: Partial<TierFields>) =>
    onChange(tiers.map((tier) => (tier.key === key ? { ...tier, ...changes } : tier)));
  return (
    <Fieldset legend={model === 'stairstep' ? 'Steps' : 'Tiers'} p="sm">
      <Stack gap="xs">
        {tiers.map(({ key, upTo, unitPrice, flatFee }, place) => (
          <Group
            key={key}
            gap="xs"
            align="flex-start"
            role="group"
            aria-label={`Tier ${place + 1}`}
          >
            <DecimalField
              label="Up to"
              w={96}
              decimals={9}
              disabled={place === tiers.length - 1}
              placeholder={place === tiers.length - 1 ? 'No end' : ''}
              value={place === tiers.length - 1 ? '' : upTo}
              onChange={(upTo) => change(key, { upTo })}
            />
            {model !== 'stairstep' && (
              <UnitPriceInput
                label="Each unit"
                currency={currency}
                value={unitPrice}
                onChange={(unitPrice) => change(key, { unitPrice })}
              />
            )}
            <AmountInput
              label={model === 'stairstep' ? 'Amount' : 'Fixed amount'}
              flex="1 1 120px"
              currency={currency}
              value={flatFee}
              onChange={(flatFee) => change(key, { flatFee })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              mt={26}
              disabled={tiers.length === 1}
              aria-label={`Remove tier ${place + 1}`}
              onClick={() => onChange(tiers.filter((tier) => tier.key !== key))}
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
          onClick={() => onChange([...tiers, emptyTier()])}
        >
          Add a tier
        </Button>
      </Stack>
    </Fieldset>
  );
}
