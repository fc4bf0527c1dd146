import { useEffect } from 'react';
import { useQuery } from 'urql';
import { wordsOf } from '../texts/formats.ts';
import { Choice } from './choice.tsx';
import { SubscriptionsToChooseDocument } from './subscriptions-to-choose.generated.ts';

interface Props {
  /** The customer whose current subscriptions can be chosen; none until there is one. */
  readonly customerId: string | null;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** The choice of a current subscription of a customer. The only one is chosen by itself. */
export function SubscriptionSelect({ customerId, value, onChange }: Props) {
  const [{ data, error, fetching }] = useQuery({
    query: SubscriptionsToChooseDocument,
    variables: { customer: customerId ?? '' },
    pause: customerId === null,
  });
  const found = customerId === null || fetching ? [] : (data?.subscriptions.nodes ?? []);
  const only = found.length === 1 ? found[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && value === null) onChange(only);
  }, [only, value, onChange]);
  return (
    <Choice
      label="Subscription"
      placeholder={customerId === null ? 'Choose a customer first' : 'Choose a subscription'}
      data={found.map(({ id, name, status }) => ({
        value: id,
        label: `${name ?? id} (${wordsOf(status).toLowerCase()})`,
      }))}
      value={value}
      onChange={onChange}
      disabled={customerId === null}
      nothingFoundMessage={fetching ? 'Searching' : 'No current subscription'}
      searchable
      error={error?.message}
    />
  );
}
