import { Anchor, Checkbox, List, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { usePreview } from '../../../commands/use-preview.ts';
import { PriceSelect } from '../../../parts/fields/price-select.tsx';
import { moneyText, numberText } from '../../../parts/texts/formats.ts';
import type { Price } from '../types.ts';
import {
  CreatePriceMoveDocument,
  PreviewPriceMoveDocument,
  type PreviewPriceMoveMutation,
} from './price-moves.generated.ts';

const timings = [
  { value: 'at_end_of_current_billing_period', label: 'At the end of each period' },
  { value: 'immediately', label: 'Now' },
];

interface Props {
  readonly price: Price;
  readonly onClose: () => void;
}

/** Moves all subscribers of a price to another one. */
export function MoveDialog({ price, onClose }: Props) {
  const { id: model = '' } = useParams();
  const [to, setTo] = useState<string | null>(null);
  const [timing, setTiming] = useState('at_end_of_current_billing_period');
  const [isProrated, setProrated] = useState(true);
  const [isKept, setKept] = useState(true);
  const variables = to
    ? {
        priceMove: {
          fromPriceId: price.id,
          toPriceId: to,
          timing: timing as 'immediately',
          prorate: isProrated,
          keepNegotiatedPrices: isKept,
        },
      }
    : undefined;
  const { data } = usePreview(PreviewPriceMoveDocument, variables);
  return (
    <CommandDialog
      title="Move the subscribers"
      onClose={onClose}
      document={CreatePriceMoveDocument}
      variables={variables}
      label="Move"
      done="The subscribers are being moved"
      more={data?.previewPriceMove && <Effect preview={data.previewPriceMove.priceMovePreview} />}
    >
      <PriceSelect pricingModelId={model} currency={price.currency} value={to} onChange={setTo} />
      <Select
        label="When"
        data={timings}
        value={timing}
        onChange={(value) => setTiming(value ?? 'at_end_of_current_billing_period')}
        allowDeselect={false}
      />
      {timing === 'immediately' && (
        <Checkbox
          label="Charge or credit the rest of the period"
          checked={isProrated}
          onChange={({ currentTarget }) => setProrated(currentTarget.checked)}
        />
      )}
      <Checkbox
        label="Keep negotiated prices"
        checked={isKept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
    </CommandDialog>
  );
}

type Preview = NonNullable<PreviewPriceMoveMutation['previewPriceMove']>['priceMovePreview'];

function Effect({ preview }: { readonly preview: Preview }) {
  const { subscriptionCount, phaseCount, currentTotal, newTotal, currency, examples } = preview;
  const refused = examples.filter(({ canAdjust }) => !canAdjust);
  return (
    <>
      <Text size="sm">
        {numberText(subscriptionCount)} subscriptions, {moneyText(currentTotal, currency)} before
        and {moneyText(newTotal, currency)} after the move in a period
      </Text>
      {phaseCount > 0 && (
        <Text size="sm">{numberText(phaseCount)} planned phases get the new price</Text>
      )}
      {refused.length > 0 && (
        <List size="sm">
          {refused.map(({ subscription, reason }) => (
            <List.Item key={subscription.id}>
              <Anchor component={Link} to={`/subscriptions/${subscription.id}`}>
                {subscription.customer.name}
              </Anchor>{' '}
              cannot be moved: {reason}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
