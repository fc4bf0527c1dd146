import { Anchor, List, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { usePreview } from '../../../commands/use-preview.ts';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { PriceSelect } from '../../../parts/fields/price-select.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { moneyText, numberText } from '../../../parts/texts/formats.ts';
import type { Price } from '../types.ts';
import {
  CreatePriceMoveDocument,
  PreviewPriceMoveDocument,
  type PreviewPriceMoveMutation,
} from './price-moves.generated.ts';

const timings = {
  at_end_of_current_billing_period: 'At the end of each period',
  immediately: 'Now',
} as const;

interface Props {
  readonly price: Price;
  readonly onClose: () => void;
}

/** Moves all subscribers of a price to another one. */
export function MoveDialog({ price, onClose }: Props) {
  const { id: model = '' } = useParams();
  const to = useField<string | null>(null);
  const timing = useField('at_end_of_current_billing_period');
  const isProrated = useField(true);
  const isKept = useField(true);
  const variables = to.value
    ? {
        priceMove: {
          fromPriceId: price.id,
          toPriceId: to.value,
          timing: timing.value as 'immediately',
          prorate: isProrated.value,
          keepNegotiatedPrices: isKept.value,
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
      <PriceSelect pricingModelId={model} currency={price.currency} {...to} />
      <Choice label="When" data={timings} {...timing} />
      {timing.value === 'immediately' && (
        <CheckField label="Charge or credit the rest of the period" {...isProrated} />
      )}
      <CheckField label="Keep negotiated prices" {...isKept} />
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
