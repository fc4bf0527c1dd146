import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { DayInput } from '../../../parts/fields/day-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { startOf } from '../../../parts/texts/days.ts';

/** The terms that decide when credit is used and expires, as they are typed. */
export interface Terms {
  readonly priority?: number | undefined;
  readonly validDays?: number | undefined;
  /** The day from which a gift cannot be used; empty for none. */
  readonly endDay: string;
  readonly rollovers?: number | undefined;
  readonly rolloverLimit?: number | undefined;
}

export const noTerms: Terms = { endDay: '' };

/** The fields of the command, without what does not apply. Only a gift ends on a day. */
export function termsInput(terms: Terms, isGift: boolean) {
  const { priority, validDays, endDay, rollovers, rolloverLimit } = terms;
  const expiresAt = isGift && !validDays ? startOf(endDay) : undefined;
  return {
    ...(priority !== undefined && { priority }),
    ...(validDays && { validDays }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(validDays && rollovers && { rollovers, ...(rolloverLimit && { rolloverLimit }) }),
  };
}

interface Props {
  readonly terms: Terms;
  readonly onChange: (terms: Terms) => void;
  readonly currency: string;
  readonly isGift: boolean;
}

/** Priority, expiry and rollover of new credit. */
export function TermsFields({ terms, onChange, currency, isGift }: Props) {
  const { priority, validDays, endDay, rollovers, rolloverLimit } = terms;
  const change = (changed: Partial<Terms>) => onChange({ ...terms, ...changed });
  return (
    <>
      <NumberField
        min={1}
        label="Days until it expires"
        description="Empty for never"
        value={validDays}
        onChange={(validDays) => change({ validDays })}
      />
      {isGift && !validDays && (
        <DayInput
          label="Or the day (UTC) from which it cannot be used"
          value={endDay}
          onChange={(endDay) => change({ endDay })}
        />
      )}
      {validDays && (
        <NumberField
          min={1}
          label="Times the unused part is kept at the expiry"
          description="Each time for as many days; empty for never"
          value={rollovers}
          onChange={(rollovers) => change({ rollovers })}
        />
      )}
      {validDays && rollovers && (
        <AmountInput
          label="The most that is kept"
          currency={currency}
          value={rolloverLimit}
          onChange={(rolloverLimit) => change({ rolloverLimit })}
        />
      )}
      <NumberField
        label="Priority"
        description="0 to 100; lower ones are used first. Empty for 50"
        max={100}
        value={priority}
        onChange={(priority) => change({ priority })}
      />
    </>
  );
}
