import { useQuery } from 'urql';
import { OwnCurrencyDocument } from './fields/customers-to-choose.generated.ts';

/** The default currency of the organization; undefined until it is known. */
export function useOwnCurrency(): string | undefined {
  const [{ data }] = useQuery({ query: OwnCurrencyDocument });
  return data?.organization?.currency;
}
