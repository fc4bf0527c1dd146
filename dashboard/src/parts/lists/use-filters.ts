import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** The conditions of a list, which the address of the page has. */
export interface Filters {
  readonly get: (name: string) => string | undefined;
  /** Sets or removes a condition. */
  readonly set: (name: string, value: string | undefined) => void;
  readonly clear: () => void;
  /** Sets the tab of a page, and removes the conditions of the tab before. */
  readonly show: (tab: string | undefined) => void;
}

/** The conditions of a list in the address, so that a link shows the same rows. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams();
  return useMemo(
    () => ({
      get: (name) => params.get(name) ?? undefined,
      set: (name, value) =>
        setParams(
          (before) => {
            const next = new URLSearchParams(before);
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
            return next;
          },
          { replace: true },
        ),
      clear: () => setParams({}, { replace: true }),
      show: (tab) => setParams(tab === undefined ? {} : { tab }, { replace: true }),
    }),
    [params, setParams],
  );
}
