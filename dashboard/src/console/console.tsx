import type { DocumentNode } from '@0no-co/graphql.web';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

/** An operation that a page shows or is about to execute. */
export interface ShownOperation {
  readonly document: DocumentNode;
  readonly variables: unknown;
}

interface Registry {
  readonly add: (operation: ShownOperation) => () => void;
}

const RegistryContext = createContext<Registry | undefined>(undefined);
const ShownContext = createContext<readonly ShownOperation[]>([]);

/** Collects the operations of the page that is open. */
export function ConsoleProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownOperation[]>([]);
  const registry = useMemo<Registry>(
    () => ({
      add(operation) {
        setShown((others) => [...others, operation]);
        return () => setShown((others) => others.filter((other) => other !== operation));
      },
    }),
    [],
  );
  return (
    <RegistryContext value={registry}>
      <ShownContext value={shown}>{children}</ShownContext>
    </RegistryContext>
  );
}

/** Adds an operation to those that the page can show as API, while the component is shown. */
export function useShown(document: DocumentNode, variables: unknown, isPaused = false) {
  const registry = useContext(RegistryContext);
  const text = JSON.stringify(variables ?? {});
  useEffect(() => {
    if (isPaused) return;
    return registry?.add({ document, variables: JSON.parse(text) });
  }, [registry, document, text, isPaused]);
}

/** The operations of the page, those of its main part first. */
export const useShownOperations = () => useContext(ShownContext);
