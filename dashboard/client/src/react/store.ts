import type { LiveResult } from '../live-query.ts';

/** A live result that parts of a page share. It is followed while a part shows it. */
export interface Store<Data> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => LiveResult<Data>;
}

/** Starts to follow something. Returns the function that ends it. */
export type Start<Data> = (emit: (result: LiveResult<Data>) => void) => () => void;

/** The result before the first answer. */
export const nothing: LiveResult<never> = {
  data: undefined,
  error: undefined,
  state: 'connecting',
};

export function storeOf<Data>(start: Start<Data>): Store<Data> {
  const listeners = new Set<() => void>();
  let result: LiveResult<Data> = nothing;
  let leave: (() => void) | undefined;
  return {
    get: () => result,
    subscribe(listener) {
      listeners.add(listener);
      leave ??= start((next) => {
        result = next;
        for (const each of [...listeners]) each();
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        leave?.();
        leave = undefined;
      };
    },
  };
}

/** Follows something that depends on a value of another store, and follows it anew when the value is another one. */
export function dependent<Source, Data>(
  source: Store<Source>,
  keyOf: (data: Source) => string | undefined,
  start: (value: string) => Start<Data | null>,
): Start<Data | null> {
  return (emit) => {
    let value: string | undefined;
    let leave: (() => void) | undefined;
    const update = () => {
      const { data, error, state } = source.get();
      if (data === undefined) {
        if (error) emit({ data: undefined, error, state });
        return;
      }
      const next = keyOf(data);
      if (next !== undefined && next === value) return;
      leave?.();
      value = next;
      leave = next === undefined ? undefined : start(next)(emit);
      if (next === undefined) emit({ data: null, error, state });
    };
    const leaveSource = source.subscribe(update);
    update();
    return () => {
      leave?.();
      leaveSource();
    };
  };
}
