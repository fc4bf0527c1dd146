import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { DayInput } from '../../../parts/fields/day-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
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
  const { validDays, rollovers } = terms;
  const change = (changed: Partial<Terms>) => onChange({ ...terms, ...changed });
  const of = fieldsOf(terms, change);
  return (
    <>
      <NumberField
        min={1}
        label="Days until it expires"
        description="Empty for never"
        {...of('validDays')}
      />
      {isGift && !validDays && (
        <DayInput label="Or the day (UTC) from which it cannot be used" {...of('endDay')} />
      )}
      {validDays && (
        <NumberField
          min={1}
          label="Times the unused part is kept at the expiry"
          description="Each time for as many days; empty for never"
          {...of('rollovers')}
        />
      )}
      {validDays && rollovers && (
        <AmountInput label="The most that is kept" currency={currency} {...of('rolloverLimit')} />
      )}
      <NumberField
        label="Priority"
        description="0 to 100; lower ones are used first. Empty for 50"
        max={100}
        {...of('priority')}
      />
    </>
  );
}
