import { useState } from 'react';
import { CustomerSelect } from './customer-select.tsx';
import { SubscriptionSelect } from './subscription-select.tsx';
import type { Field } from './use-field.ts';

/** The choice of a customer, and then of one of its current subscriptions. */
export function CustomerSubscription({ value, onChange }: Field<string | null>) {
  const [customerId, setCustomer] = useState<string | null>(null);
  return (
    <>
      <CustomerSelect
        value={customerId}
        onChange={(customer) => {
          setCustomer(customer?.id ?? null);
          onChange(null);
        }}
      />
      <SubscriptionSelect customerId={customerId} value={value} onChange={onChange} />
    </>
  );
}
