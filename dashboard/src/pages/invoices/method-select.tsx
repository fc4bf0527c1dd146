import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { methodName } from '../../parts/texts/method-name.ts';
import { MethodsToChooseDocument } from './invoice.generated.ts';

interface Props {
  readonly customerId: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** A choice among the payment methods of a customer; its default one when empty. */
export function MethodSelect({ customerId, value, onChange }: Props) {
  const [{ data }] = useQuery({
    query: MethodsToChooseDocument,
    variables: { customer: customerId },
    requestPolicy: 'cache-and-network',
  });
  const methods = data?.customer?.paymentMethodsPage.nodes.filter(({ detachedAt }) => !detachedAt);
  return (
    <Select
      label="Payment method"
      placeholder="The default payment method"
      clearable
      data={(methods ?? []).map((each) => ({
        value: each.id,
        label: `${methodName(each)}${each.default ? ', default' : ''}${each.refusedAt ? ', refused' : ''}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
