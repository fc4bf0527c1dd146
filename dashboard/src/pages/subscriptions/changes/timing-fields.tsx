import { CheckField } from '../../../parts/fields/check-field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { useField } from '../../../parts/fields/use-field.ts';

const timings = {
  auto: 'An upgrade now, anything else at the end of the period',
  immediately: 'Now',
  at_end_of_current_billing_period: 'At the end of the period',
} as const;

/** When a change of items takes effect, whether the rest of the period is charged, and the fields for both. */
export function useTimingFields() {
  const timing = useField<keyof typeof timings>('auto');
  const isProrated = useField(true);
  const fields = (
    <>
      <Choice label="When" data={timings} {...timing} />
      {timing.value !== 'at_end_of_current_billing_period' && (
        <CheckField
          label="Charge the rest of this period"
          description="Otherwise a change that takes effect now costs nothing before the next period"
          {...isProrated}
        />
      )}
    </>
  );
  return { timing: timing.value, isProrated: isProrated.value, fields };
}
