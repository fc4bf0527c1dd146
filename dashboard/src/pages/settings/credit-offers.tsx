import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { IconPlus } from '../../icons/icons.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { CurrencySelect } from '../../parts/fields/currency-select.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { NumbersInput } from '../../parts/fields/numbers-input.tsx';
import { majorOf, minorOf, shownNumber } from '../../parts/fields/typed-number.ts';
import { fieldsOf } from '../../parts/fields/use-field.ts';
import { digitsOf } from '../../parts/texts/formats.ts';

/** An offer in a form. */
export interface OfferFields {
  readonly key: string;
  readonly currency: string;
  readonly amounts: readonly number[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly validDays: number | undefined;
}

interface Offer {
  readonly currency: string;
  readonly amounts: readonly number[];
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly validDays: number | null;
}

export const offerFieldsOf = ({ minimum, maximum, validDays, ...offer }: Offer): OfferFields => ({
  ...offer,
  key: crypto.randomUUID(),
  minimum: minimum ?? undefined,
  maximum: maximum ?? undefined,
  validDays: validDays ?? undefined,
});

/** The offers as the command has them; undefined while one is incomplete. */
export function offersInput(offers: readonly OfferFields[]) {
  const isComplete = offers.every(
    ({ amounts, minimum, maximum }) =>
      (minimum === undefined) === (maximum === undefined) &&
      (amounts.length > 0 || minimum !== undefined),
  );
  if (!isComplete) return undefined;
  return offers.map(({ key: _, amounts, ...terms }) => ({ ...terms, amounts: [...amounts] }));
}

interface Props {
  readonly offers: readonly OfferFields[];
  /** The currency of the first offer. */
  readonly currency: string;
  readonly onChange: (offers: readonly OfferFields[]) => void;
}

/** The offers of prepaid credit, one for each currency. */
export function OffersInput({ offers, currency, onChange }: Props) {
  const isTaken = (code: string) => offers.some((offer) => offer.currency === code);
  const next = [currency, 'EUR', 'USD', 'GBP'].find((code) => !isTaken(code)) ?? currency;
  const added = { currency: next, amounts: [], minimum: null, maximum: null, validDays: null };
  return (
    <Stack gap="sm">
      {offers.map((offer, place) => (
        <OfferInput
          key={offer.key}
          offer={offer}
          onChange={(changed) => onChange(offers.with(place, changed))}
          onRemove={() => onChange(offers.toSpliced(place, 1))}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...offers, offerFieldsOf(added)])}
      >
        Add a currency
      </Button>
    </Stack>
  );
}

interface OfferProps {
  readonly offer: OfferFields;
  readonly onChange: (offer: OfferFields) => void;
  readonly onRemove: () => void;
}

function OfferInput({ offer, onChange, onRemove }: OfferProps) {
  const { currency } = offer;
  const set = (changed: Partial<OfferFields>) => onChange({ ...offer, ...changed });
  const of = fieldsOf(offer, set);
  const digits = digitsOf(currency);
  const rule = { decimals: digits, min: 0, isAmount: true };
  return (
    <Fieldset legend={`Offer in ${currency}`} p="sm">
      <Stack gap="xs">
        <CurrencySelect value={currency} onChange={(code) => code && set({ currency: code })} />
        <NumbersInput
          label="Amounts to choose from"
          description={`In ${currency}, such as ${digits > 0 ? '12.50' : '1200'}; press Enter after each`}
          rule={rule}
          most={12}
          toNumber={(amount) => shownNumber(majorOf(amount, digits), rule)}
          fromNumber={(number) => minorOf(number, digits)}
          {...of('amounts')}
        />
        <Group grow align="flex-start" wrap="wrap" preventGrowOverflow={false}>
          <AmountInput label="Own amount: at least" currency={currency} {...of('minimum')} />
          <AmountInput label="Own amount: at most" currency={currency} {...of('maximum')} />
        </Group>
        <NumberField
          label="Days until the credit expires"
          description="Empty for never"
          min={1}
          {...of('validDays')}
        />
        <Button size="compact-sm" variant="subtle" color="red" w="fit-content" onClick={onRemove}>
          Remove the offer in {currency}
        </Button>
      </Stack>
    </Fieldset>
  );
}
