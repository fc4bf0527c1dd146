import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';
import { UpdateDialog } from './update-dialog.tsx';

/** Changes the billing cycle of a subscription: its day of the month, its end and its draft window. */
export function CycleDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { interval, remainingPeriods, draftWindowHours } = subscription;
  const billAt = useField(subscription.billAt ?? undefined);
  const day = useField<number>();
  const periods = useField(remainingPeriods ?? undefined);
  const hours = useField(draftWindowHours ?? undefined);
  const changes = {
    ...(day.value !== undefined && { anchorDayOfMonth: day.value }),
    ...((periods.value ?? null) !== remainingPeriods && {
      remainingPeriods: periods.value ?? null,
    }),
    ...((hours.value ?? null) !== draftWindowHours && { draftWindowHours: hours.value ?? null }),
    ...((billAt.value ?? null) !== subscription.billAt && { billAt: billAt.value ?? null }),
  };
  return (
    <UpdateDialog
      title="Change the billing cycle"
      {...{ subscription, onClose }}
      changes={changes}
      done="The billing cycle is changed"
    >
      {(interval === 'month' || interval === 'year') && (
        <NumberField
          label="Day of the month"
          description="The next period ends on this day and is charged for its share"
          placeholder="As before"
          min={1}
          max={31}
          {...day}
          data-autofocus
        />
      )}
      <NumberField
        label="Periods after this one"
        description="Then the subscription ends"
        placeholder="Without an end"
        max={1000}
        {...periods}
      />
      <NumberField
        label="Hours for late usage"
        description="The invoice for a period is written after them"
        placeholder="As the organization"
        max={720}
        {...hours}
      />
      {!subscription.doNotCharge && (
        <AmountInput
          label="Bill usage at"
          description="So much unbilled usage is billed before the end of its period"
          currency={subscription.currency}
          {...billAt}
        />
      )}
    </UpdateDialog>
  );
}
