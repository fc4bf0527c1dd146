import { useQuery } from 'urql';
import { NameOfCustomerDocument } from '../fields/customers-to-choose.generated.ts';

/** The name of a customer; the id until it is known. */
export function CustomerName({ id }: { readonly id: string }) {
  const [{ data }] = useQuery({ query: NameOfCustomerDocument, variables: { id } });
  return <bdi>{data?.customer?.name ?? id}</bdi>;
}
