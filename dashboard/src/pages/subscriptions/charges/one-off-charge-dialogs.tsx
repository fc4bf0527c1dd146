import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import type { OneOffCharge } from './one-off-charge.ts';
import {
  CreateOneOffChargeDocument,
  UpdateOneOffChargeDocument,
} from './one-off-charges.generated.ts';

interface NewProps {
  readonly subscriptionId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Adds a charge to the next invoice of a subscription. */
export function NewChargeDialog({ subscriptionId, currency, onClose }: NewProps) {
  const [charge, setCharge] = useState<Fields>({ name: '', description: '', quantity: 1 });
  const { name, description, quantity, unitPrice } = charge;
  const isComplete = name.trim() !== '' && quantity !== undefined && unitPrice;
  return (
    <CommandDialog
      title="Charge once"
      onClose={onClose}
      document={CreateOneOffChargeDocument}
      variables={
        isComplete && {
          oneOffCharge: {
            subscriptionId,
            name,
            quantity,
            unitPrice,
            ...(description && { description }),
          },
        }
      }
      label="Add"
      done="The next invoice bills the charge"
    >
      <Inputs charge={charge} onChange={setCharge} currency={currency} />
    </CommandDialog>
  );
}

interface ChangeProps {
  readonly charge: OneOffCharge;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Changes a charge that no invoice has billed. */
export function ChangeChargeDialog({ charge: before, currency, onClose }: ChangeProps) {
  const [charge, setCharge] = useState<Fields>({
    ...before,
    description: before.description ?? '',
  });
  const { name, description, quantity, unitPrice } = charge;
  const oneOffCharge = {
    ...(name.trim() && name !== before.name && { name }),
    ...(description !== (before.description ?? '') && { description: description || null }),
    ...(quantity && quantity !== before.quantity && { quantity }),
    ...(unitPrice && unitPrice !== before.unitPrice && { unitPrice }),
  };
  const { id, version } = before;
  return (
    <CommandDialog
      title="Change the charge"
      onClose={onClose}
      document={UpdateOneOffChargeDocument}
      variables={Object.keys(oneOffCharge).length > 0 && { id, version, oneOffCharge }}
      label="Change"
      done="The charge is changed"
    >
      <Inputs charge={charge} onChange={setCharge} currency={currency} />
    </CommandDialog>
  );
}

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly quantity?: number | undefined;
  readonly unitPrice?: number | undefined;
}

interface InputsProps {
  readonly charge: Fields;
  readonly onChange: (charge: Fields) => void;
  readonly currency: string;
}

const Inputs = ({ charge, onChange, currency }: InputsProps) => {
  const of = fieldsOf(charge, (changes) => onChange({ ...charge, ...changes }));
  return (
    <>
      <TextField label="Name" description="On the invoice" {...of('name')} />
      <TextField label="Description" {...of('description')} />
      <NumberField label="Quantity" decimals={9} {...of('quantity')} />
      <AmountInput
        label="Price of one"
        description="Before tax"
        currency={currency}
        {...of('unitPrice')}
      />
    </>
  );
};
