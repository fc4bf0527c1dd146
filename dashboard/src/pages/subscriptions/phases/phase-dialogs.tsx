import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import {
  type AdjustedItem,
  AdjustmentItems,
  anItem,
  newItemInput,
} from '../changes/adjustment-items.tsx';
import type { Phase } from './phase.ts';
import {
  CreateSubscriptionPhaseDocument,
  UpdateSubscriptionPhaseDocument,
} from './phases.generated.ts';

type Timing = Phase['timing'];

interface Place {
  readonly pricingModelId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Plans the items that a subscription has from a later instant on. */
export function NewPhaseDialog({ subscriptionId, ...place }: Place & { subscriptionId: string }) {
  const [start, setStart] = useState<number | null>(null);
  const [timing, setTiming] = useState<Timing>('with_period');
  const [items, setItems] = useState<readonly AdjustedItem[]>([anItem()]);
  const inputs = items.flatMap((item) => newItemInput(item) ?? []);
  const isComplete = start !== null && inputs.length === items.length;
  return (
    <CommandDialog
      title="Plan a phase"
      onClose={place.onClose}
      document={CreateSubscriptionPhaseDocument}
      variables={
        isComplete && {
          subscriptionPhase: {
            subscriptionId,
            startsAt: start,
            timing,
            items: inputs,
          },
        }
      }
      label="Plan"
      done="The phase is planned"
    >
      <Inputs {...place} {...{ start, setStart, timing, setTiming, items, setItems }} />
    </CommandDialog>
  );
}

/** Changes the start, its timing or the items of a planned phase. */
export function ChangePhaseDialog({ phase, ...place }: Place & { phase: Phase }) {
  const { id, version, startsAt } = phase;
  const [start, setStart] = useState<number | null>(startsAt);
  const [timing, setTiming] = useState<Timing>(phase.timing);
  const [items, setItems] = useState<readonly AdjustedItem[]>(() =>
    phase.items.map(({ priceId, quantity, unitPrice, discountPercentage, price }) => ({
      key: priceId,
      priceId,
      presentPriceId: priceId,
      name: price?.product?.name ?? '',
      quantity,
      unitPrice: unitPrice ?? undefined,
      discountPercentage: discountPercentage === 0 ? null : (discountPercentage ?? undefined),
    })),
  );
  const inputs = items.flatMap((item) => newItemInput(item) ?? []);
  const isComplete = start !== null && inputs.length === items.length;
  const subscriptionPhase = isComplete && { startsAt: start, timing, items: inputs };
  return (
    <CommandDialog
      title="Change the phase"
      onClose={place.onClose}
      document={UpdateSubscriptionPhaseDocument}
      variables={subscriptionPhase && { id, version, subscriptionPhase }}
      label="Change"
      done="The phase is changed"
    >
      <Inputs {...place} {...{ start, setStart, timing, setTiming, items, setItems }} />
    </CommandDialog>
  );
}

interface InputsProps extends Place {
  readonly start: number | null;
  readonly setStart: (start: number | null) => void;
  readonly timing: Timing;
  readonly setTiming: (timing: Timing) => void;
  readonly items: readonly AdjustedItem[];
  readonly setItems: (items: readonly AdjustedItem[]) => void;
}

const Inputs = ({ start, setStart, timing, setTiming, items, setItems, ...place }: InputsProps) => (
  <>
    <TimeInput
      label="Starts"
      description={
        timing === 'at_date'
          ? 'The rest of a billing period is billed with the next invoice, or credited'
          : 'With the first billing period that begins then or later'
      }
      data-autofocus
      value={start}
      onChange={setStart}
    />
    <CheckField
      label="At this date, also within a billing period"
      value={timing === 'at_date'}
      onChange={(isOn) => setTiming(isOn ? 'at_date' : 'with_period')}
    />
    <AdjustmentItems
      items={items}
      onChange={setItems}
      pricingModelId={place.pricingModelId}
      currency={place.currency}
    />
  </>
);
