import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import {
  type OneSubscriptionQuery,
  UpdateSubscriptionDocument,
} from '../subscription.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

/** Changes the billing cycle of a subscription: its day of the month, its end and its draft window. */
export function CycleDialog({ subscription, onClose }: Props) {
  const { id, version, interval, remainingPeriods, draftWindowHours } = subscription;
  const [billAt, setBillAt] = useState(subscription.billAt ?? undefined);
  const [day, setDay] = useState<number>();
  const [periods, setPeriods] = useState(remainingPeriods ?? undefined);
  const [hours, setHours] = useState(draftWindowHours ?? undefined);
  const changes = {
    ...(day !== undefined && { anchorDayOfMonth: day }),
    ...((periods ?? null) !== remainingPeriods && { remainingPeriods: periods ?? null }),
    ...((hours ?? null) !== draftWindowHours && { draftWindowHours: hours ?? null }),
    ...((billAt ?? null) !== subscription.billAt && { billAt: billAt ?? null }),
  };
  return (
    <CommandDialog
      title="Change the billing cycle"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={
        Object.keys(changes).length > 0 ? { id, version, subscription: changes } : undefined
      }
      label="Change"
      done="The billing cycle is changed"
    >
      {(interval === 'month' || interval === 'year') && (
        <NumberField
          label="Day of the month"
          description="The next period ends on this day and is charged for its share"
          placeholder="As before"
          min={1}
          max={31}
          value={day}
          onChange={setDay}
          data-autofocus
        />
      )}
      <NumberField
        label="Periods after this one"
        description="Then the subscription ends"
        placeholder="Without an end"
        max={1000}
        value={periods}
        onChange={setPeriods}
      />
      <NumberField
        label="Hours for late usage"
        description="The invoice for a period is written after them"
        placeholder="As the organization"
        max={720}
        value={hours}
        onChange={setHours}
      />
      {!subscription.doNotCharge && (
        <AmountInput
          label="Bill usage at"
          description="So much unbilled usage is billed before the end of its period"
          currency={subscription.currency}
          value={billAt}
          onChange={setBillAt}
        />
      )}
    </CommandDialog>
  );
}
