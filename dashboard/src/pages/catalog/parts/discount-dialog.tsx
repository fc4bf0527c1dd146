import { useState } from 'react';
import { SaveDialog } from '../../../commands/save-dialog.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { dayOf } from '../../../parts/texts/days.ts';
import { ActiveSwitch } from '../active-switch.tsx';
import { CreateDiscountDocument, UpdateDiscountDocument } from '../catalog.generated.ts';
import type { Discount } from '../types.ts';
import { type DiscountFields, DiscountInputs, discountInputOf } from './discount-fields.tsx';

interface Props {
  /** The discount that is edited; a new one when absent. */
  readonly discount?: Discount | undefined;
  /** The currency of a new discount. */
  readonly currency: string;
  readonly onClose: () => void;
}

/** Creates a discount, or changes one. Redemptions keep the terms of their time. */
export function DiscountDialog({ discount, currency, onClose }: Props) {
  const [fields, setFields] = useState<DiscountFields>({
    name: discount?.name ?? '',
    code: discount?.code ?? '',
    amountType: discount?.amountType ?? 'percent',
    amount: discount?.amount,
    currency: discount?.currency ?? currency,
    duration: discount?.duration ?? 'once',
    payments: discount?.numberOfPayments ?? undefined,
    months: discount?.numberOfMonths ?? undefined,
    limit: discount?.redemptionLimit ?? undefined,
    limitPerCustomer: discount?.redemptionLimitPerCustomer ?? undefined,
    lastDay: dayOf(discount?.expiresAt),
  });
  const active = useField(discount?.active ?? true);
  const input = discountInputOf(fields);
  return (
    <SaveDialog
      name="discount"
      onClose={onClose}
      create={[CreateDiscountDocument, input && { discount: input }]}
      update={
        discount && [
          UpdateDiscountDocument,
          input && {
            id: discount.id,
            version: discount.version,
            discount: { ...input, active: active.value },
          },
        ]
      }
    >
      <DiscountInputs fields={fields} onChange={setFields} />
      {discount && (
        <ActiveSwitch description="Customers can redeem it; redemptions stay without" {...active} />
      )}
    </SaveDialog>
  );
}
