import { Text } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { dayOf, startOf } from '../../parts/texts/days.ts';
import { placeText, type TaxRate } from './tax-rate-texts.ts';
import { UpdateTaxRateDocument } from './taxes.generated.ts';

interface Props {
  readonly rate: TaxRate;
  readonly onClose: () => void;
}

const day = 86_400_000;

/** Ends a tax rate on a day. */
export function EndTaxRateDialog({ rate, onClose }: Props) {
  const first = useField(() => dayOf(Date.now() + day));
  const validUntil = startOf(first.value);
  return (
    <CommandDialog
      title={`End the tax rate ${rate.name}`}
      onClose={onClose}
      document={UpdateTaxRateDocument}
      variables={
        validUntil !== undefined && { id: rate.id, version: rate.version, taxRate: { validUntil } }
      }
      label="End the rate"
      isDangerous
      done="The tax rate has an end"
    >
      <Text size="sm">
        {rate.name} {rate.ratePercentage} % in {placeText(rate)} applies to invoices before this
        day. A new rate can follow it.
      </Text>
      <DayInput
        label="First day without it"
        description="It ends at 0:00 UTC of this day"
        {...first}
      />
    </CommandDialog>
  );
}
