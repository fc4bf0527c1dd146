import { Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { dayText } from '../../parts/formats.ts';
import { type AdjustedItem, AdjustmentItems, anItem, newItemInput } from './adjustment-items.tsx';
import {
  CreateSubscriptionPhaseDocument,
  DeleteSubscriptionPhaseDocument,
  UpdateSubscriptionPhaseDocument,
} from './phases.generated.ts';
import type { Phase } from './phases.tsx';

interface Place {
  readonly pricingModelId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Plans the items that a subscription has from a later billing period on. */
export function NewPhaseDialog({ subscriptionId, ...place }: Place & { subscriptionId: string }) {
  const [start, setStart] = useState<string | null>(null);
  const [items, setItems] = useState<readonly AdjustedItem[]>([anItem()]);
  const inputs = items.flatMap((item) => newItemInput(item) ?? []);
  const isComplete = start !== null && inputs.length === items.length;
  return (
    <CommandDialog
      title="Plan a phase"
      isOpen
      onClose={place.onClose}
      document={CreateSubscriptionPhaseDocument}
      variables={
        isComplete
          ? {
              subscriptionPhase: {
                subscriptionId,
                startsAt: new Date(start).getTime(),
                items: inputs,
              },
            }
          : undefined
      }
      label="Plan"
      done="The phase is planned"
    >
      <Inputs {...place} start={start} setStart={setStart} items={items} setItems={setItems} />
    </CommandDialog>
  );
}

/** Changes the start or the items of a planned phase. */
export function ChangePhaseDialog({ phase, ...place }: Place & { phase: Phase }) {
  const { id, version, startsAt } = phase;
  const [start, setStart] = useState<string | null>(new Date(startsAt).toISOString());
  const [items, setItems] = useState<readonly AdjustedItem[]>(() =>
    phase.items.map(({ priceId, quantity, unitPrice, price }) => ({
      key: priceId,
      priceId,
      presentPriceId: priceId,
      name: price?.product?.name ?? '',
      quantity,
      unitPrice: unitPrice ?? undefined,
    })),
  );
  const inputs = items.flatMap((item) => newItemInput(item) ?? []);
  const isComplete = start !== null && inputs.length === items.length;
  const subscriptionPhase = isComplete && { startsAt: new Date(start).getTime(), items: inputs };
  return (
    <CommandDialog
      title="Change the phase"
      isOpen
      onClose={place.onClose}
      document={UpdateSubscriptionPhaseDocument}
      variables={subscriptionPhase ? { id, version, subscriptionPhase } : undefined}
      label="Change"
      done="The phase is changed"
    >
      <Inputs {...place} start={start} setStart={setStart} items={items} setItems={setItems} />
    </CommandDialog>
  );
}

/** Deletes a planned phase. */
export function DeletePhaseDialog({ phase, onClose }: { phase: Phase; onClose: () => void }) {
  return (
    <CommandDialog
      title="Delete the phase"
      isOpen
      onClose={onClose}
      document={DeleteSubscriptionPhaseDocument}
      variables={{ id: phase.id }}
      label="Delete"
      done="The phase is deleted"
    >
      <Text size="sm">The items do not change on {dayText(phase.startsAt)}.</Text>
    </CommandDialog>
  );
}

interface InputsProps extends Place {
  readonly start: string | null;
  readonly setStart: (start: string | null) => void;
  readonly items: readonly AdjustedItem[];
  readonly setItems: (items: readonly AdjustedItem[]) => void;
}

const Inputs = ({ pricingModelId, currency, start, setStart, items, setItems }: InputsProps) => (
  <>
    <DateTimePicker
      label="Starts"
      description="With the first billing period that begins then or later"
      data-autofocus
      value={start}
      onChange={setStart}
    />
    <AdjustmentItems
      items={items}
      onChange={setItems}
      pricingModelId={pricingModelId}
      currency={currency}
    />
  </>
);
