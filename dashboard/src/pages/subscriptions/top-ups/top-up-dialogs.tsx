import { Select } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { decimalText } from '../../../parts/fields/typed-number.ts';
import { useField } from '../../../parts/fields/use-field.ts';
import { moneyText } from '../../../parts/texts/formats.ts';
import { MetersToGrantDocument } from '../../usage/grant-credits.generated.ts';
import type { TopUp } from './top-up.ts';
import {
  CreatePurchaseDocument,
  CreateTopUpDocument,
  PackagesToBuyDocument,
  UpdateTopUpDocument,
} from './top-ups.generated.ts';

/** Buys a package of usage credits for a customer, who is charged now. */
export function BuyDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const priceId = useField<string | null>(null);
  const quantity = useField<number | undefined>(1);
  const isComplete = priceId.value !== null && quantity.value !== undefined;
  return (
    <CommandDialog
      title="Buy a package"
      onClose={onClose}
      document={CreatePurchaseDocument}
      variables={
        isComplete && { purchase: { customerId, priceId: priceId.value, quantity: quantity.value } }
      }
      label="Buy"
      done="The package is bought"
    >
      <PackageSelect {...priceId} />
      <NumberField label="Quantity" min={1} {...quantity} />
    </CommandDialog>
  );
}

/** Creates a rule that buys a package when few credits remain. */
export function NewTopUpDialog({
  subscriptionId,
  onClose,
}: {
  subscriptionId: string;
  onClose: () => void;
}) {
  const priceId = useField<string | null>(null);
  const usageMeterId = useField<string | null>(null);
  const [threshold, setThreshold] = useState<number>();
  const [most, setMost] = useState<number | undefined>(3);
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const isComplete =
    priceId.value && usageMeterId.value && threshold !== undefined && most !== undefined;
  const topUp = isComplete && {
    subscriptionId,
    usageMeterId: usageMeterId.value,
    priceId: priceId.value,
    threshold: decimalText(threshold),
    mostPerMonth: most,
  };
  return (
    <CommandDialog
      title="Add a top-up"
      onClose={onClose}
      document={CreateTopUpDocument}
      variables={topUp && { topUp }}
      label="Add"
      done="The top-up is added"
    >
      <Select
        label="Usage meter"
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        {...usageMeterId}
        searchable
      />
      <PackageSelect {...priceId} />
      <Limits threshold={threshold} setThreshold={setThreshold} most={most} setMost={setMost} />
    </CommandDialog>
  );
}

/** Changes the threshold and the limit of a top-up, stops it, or starts it again. */
export function ChangeTopUpDialog({ topUp, onClose }: { topUp: TopUp; onClose: () => void }) {
  const { id, version } = topUp;
  const [threshold, setThreshold] = useState<number | undefined>(topUp.threshold);
  const [most, setMost] = useState<number | undefined>(topUp.mostPerMonth);
  const active = useField(topUp.active);
  const changes = {
    ...(threshold !== undefined &&
      threshold !== topUp.threshold && { threshold: decimalText(threshold) }),
    ...(most !== undefined && most !== topUp.mostPerMonth && { mostPerMonth: most }),
    ...(active.value !== topUp.active && { active: active.value }),
  };
  return (
    <CommandDialog
      title="Change the top-up"
      onClose={onClose}
      document={UpdateTopUpDocument}
      variables={Object.keys(changes).length > 0 && { id, version, topUp: changes }}
      label="Change"
      done="The top-up is changed"
    >
      <Limits threshold={threshold} setThreshold={setThreshold} most={most} setMost={setMost} />
      <CheckField label="Active" description="A stopped top-up buys nothing" {...active} />
    </CommandDialog>
  );
}

interface LimitsProps {
  readonly threshold: number | undefined;
  readonly setThreshold: (value: number | undefined) => void;
  readonly most: number | undefined;
  readonly setMost: (value: number | undefined) => void;
}

const Limits = ({ threshold, setThreshold, most, setMost }: LimitsProps) => (
  <>
    <NumberField
      label="Threshold"
      description="Buys when so few credits remain"
      decimals={9}
      value={threshold}
      onChange={setThreshold}
    />
    <NumberField label="Most in a month" min={1} max={1_000} value={most} onChange={setMost} />
  </>
);

interface SelectProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

function PackageSelect({ value, onChange }: SelectProps) {
  const [{ data }] = useQuery({ query: PackagesToBuyDocument });
  const packages = data?.prices.nodes ?? [];
  return (
    <Select
      label="Package"
      description="A product with a single payment"
      data={packages.map(({ id, product, unitPrice, currency }) => ({
        value: id,
        label: `${product?.name}, ${moneyText(unitPrice, currency)}`,
      }))}
      value={value}
      onChange={onChange}
      searchable
    />
  );
}
