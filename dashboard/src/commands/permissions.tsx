import { createContext, type ReactNode, useContext } from 'react';
import { useClient, useQuery } from 'urql';
import { useChanges } from '../live/use-changes.ts';
import type { MutationName } from './mutations.generated.ts';
import { PermissionsDocument, type PermissionsQuery } from './permissions.generated.ts';

const PermissionsContext = createContext<NonNullable<PermissionsQuery['viewer']> | undefined>(
  undefined,
);

/** Reads what the caller may do, again after a change of its role or its key, for all pages below. */
export function PermissionsProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const [{ data }] = useQuery({ query: PermissionsDocument });
  useChanges({ kinds: ['operator', 'api_key'] }, () =>
    client.query(PermissionsDocument, {}, { requestPolicy: 'network-only' }).toPromise(),
  );
  return <PermissionsContext value={data?.viewer ?? undefined}>{children}</PermissionsContext>;
}

/** Why the caller may not execute a mutation; undefined where it may. */
export function useMissingScope(mutation: MutationName): string | undefined {
  const viewer = useContext(PermissionsContext);
  const refused = viewer?.refusedMutations.find(({ name }) => name === mutation);
  if (!viewer || !refused) return undefined;
  const who = viewer.role ? `Your role ${viewer.role}` : 'Your key';
  return `${who} does not have the scope ${refused.scope ?? 'of this command'}.`;
}

/** Whether the caller has a scope. */
export function useHasScope() {
  const viewer = useContext(PermissionsContext);
  return (scope: string) => !viewer || viewer.scopes.includes(scope);
}
