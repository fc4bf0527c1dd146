import { TollgateError } from '../errors.ts';
import type { Start } from './store.ts';

const pauseMilliseconds = 5_000;

/** Reads something whose changes no event announces. It is read again without an answer, and when it is shown anew. */
export const readOnce =
  <Data>(read: () => Promise<Data>): Start<Data> =>
  (emit) => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void attempt();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };

    async function attempt() {
      try {
        const data = await read();
        if (isCurrent) emit({ data, error: undefined, state: 'live' });
      } catch (failure) {
        if (!isCurrent) return;
        const error =
          failure instanceof TollgateError ? failure : new TollgateError('UNKNOWN', `${failure}`);
        emit({ data: undefined, error, state: 'lost' });
        if (error.code === 'NETWORK') timer = setTimeout(() => void attempt(), pauseMilliseconds);
      }
    }
  };
