import { Box, Text } from '@mantine/core';
import { moneyText, quantityText } from './formats.ts';
import { Money } from './money.tsx';
import { unitPriceText } from './price-terms.ts';

/** A step of an amount, as the service has computed it. */
export interface PricePart {
  readonly kind: string;
  readonly tier: number | null;
  readonly values: readonly string[] | null;
  readonly quantity: number;
  readonly unitPrice: number | null;
  readonly amount: number;
}

interface Props {
  readonly parts: readonly PricePart[];
  readonly currency: string;
  /** The usage that makes one unit; 1 when absent. */
  readonly perUnit?: number | null;
}

/** The steps of an amount: which units cost what. */
export function PriceParts({ parts, currency, perUnit }: Props) {
  if (parts.length === 0) return null;
  return (
    <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Steps of the amount">
      {parts.map((part) => (
        <Text
          key={`${part.kind} ${part.tier} ${part.values?.join()} ${part.unitPrice}`}
          component="li"
          size="xs"
          c="dimmed"
        >
          {partText(part, currency, perUnit ?? 1)}:{' '}
          <Money amount={part.amount} currency={currency} />
        </Text>
      ))}
    </Box>
  );
}

function partText(part: PricePart, currency: string, perUnit: number): string {
  const { kind, tier, values, quantity, unitPrice } = part;
  const count = quantityText(quantity);
  const of = tier === null ? '' : `, tier ${tier}`;
  switch (kind) {
    case 'units': {
      const cell = values === null ? '' : `, ${values.length > 0 ? values.join(' · ') : 'other'}`;
      const per = perUnit > 1 ? ` per ${quantityText(perUnit)}` : '';
      const price = unitPrice === null ? '' : ` × ${unitPriceText(unitPrice, currency)}${per}`;
      return `${count}${price}${of}${cell}`;
    }
    case 'packages':
      return `${count} packages × ${moneyText(unitPrice ?? 0, currency)}`;
    case 'fee':
      return unitPrice === null
        ? `Fixed amount${of}`
        : `Fee of ${count} events × ${moneyText(unitPrice, currency)}`;
    case 'free':
      return `${count} free`;
    case 'covered':
      return `${count} covered by credits`;
    case 'minimum':
      return 'Raised to the minimum';
    case 'maximum':
      return 'Reduced to the maximum';
    case 'trial':
      return 'In its trial';
    case 'discount':
      return 'Discount of the item';
    case 'billed_before':
      return 'Billed before';
    default:
      return 'Billed later';
  }
}
