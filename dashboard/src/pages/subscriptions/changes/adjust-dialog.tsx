import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { usePreview } from '../../../commands/use-preview.ts';
import { useTimeOf } from '../../../parts/texts/use-time-of.ts';
import { itemsOf, ownUnitPrice } from '../items-of.ts';
import {
  AdjustSubscriptionDocument,
  PreviewAdjustmentDocument,
} from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';
import { type AdjustedItem, AdjustmentItems, itemInput } from './adjustment-items.tsx';
import { AdjustmentPreview } from './adjustment-preview.tsx';
import { useTimingFields } from './timing-fields.tsx';

/** Changes the items of a subscription, after their money was shown. */
export function AdjustDialog({ onClose, subscription }: SubscriptionDialogProps) {
  const { id, currency, pricingModelId, itemsPage, customer } = subscription;
  const now = useTimeOf(customer.testClock);
  const [present] = useState(() => itemsOf(itemsPage.nodes, now).current);
  const [items, setItems] = useState<readonly AdjustedItem[]>(() =>
    present.map((item) => ({
      key: item.id,
      id: item.id,
      name: item.name,
      presentPriceId: item.price?.id ?? null,
      priceId: item.price?.id ?? null,
      quantity: item.quantity,
      unitPrice: ownUnitPrice(item),
    })),
  );
  const { timing, isProrated, fields } = useTimingFields();
  const inputs = items.flatMap((item) => itemInput(item) ?? []);
  const isComplete = items.length > 0 && inputs.length === items.length;
  const variables = isComplete
    ? {
        id,
        adjustment: {
          timing,
          newSubscriptionItems: inputs,
          ...(!isProrated && { prorateCurrentBillingPeriod: false }),
        },
      }
    : undefined;
  const { data } = usePreview(PreviewAdjustmentDocument, variables);
  const preview = data?.previewSubscriptionAdjustment?.adjustmentPreview;
  return (
    <CommandDialog
      title="Change the plan"
      onClose={onClose}
      document={AdjustSubscriptionDocument}
      variables={variables}
      label="Change"
      done="The subscription is changed"
      more={preview && <AdjustmentPreview preview={preview} currency={currency} />}
    >
      <AdjustmentItems
        items={items}
        onChange={setItems}
        pricingModelId={pricingModelId}
        currency={currency}
      />
      {fields}
    </CommandDialog>
  );
}
