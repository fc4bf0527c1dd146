import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { TollgateError } from '@tollgate/client/errors';
import { useCallback, useEffect, useState } from 'react';
import { useConnection } from '../live/service.tsx';
import { type Effects, effectsOf } from './effects.ts';

/** The result of a dry run of a command with the variables of a form. */
export interface Preview<Data> {
  readonly effects: Effects | undefined;
  readonly data: Data | undefined;
  readonly error: TollgateError | undefined;
  readonly isLoading: boolean;
  /** Plans the same variables again. */
  readonly retry: () => void;
}

/** A preview, and the variables that it belongs to. */
type Planned<Data> = Omit<Preview<Data>, 'retry'> & { readonly key: string };

const typingMilliseconds = 300;

/** Plans a command each time its variables change; undefined variables plan nothing. */
export function usePreview<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | undefined,
): Preview<Data> {
  const connection = useConnection();
  const key = variables && JSON.stringify(variables);
  const [planned, setPlanned] = useState<Planned<Data>>();
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => {
    setPlanned(undefined);
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    if (key === undefined) return;
    void attempt;
    const stop = new AbortController();
    const done = (result: Partial<Planned<Data>>) => {
      if (stop.signal.aborted) return;
      const none = { effects: undefined, data: undefined, error: undefined };
      setPlanned({ ...none, isLoading: false, ...result, key });
    };
    const timer = setTimeout(() => {
      connection
        .execute(document, JSON.parse(key) as Variables, { dryRun: true, signal: stop.signal })
        .then(
          ({ data, extensions }) => done({ data, effects: effectsOf(extensions) }),
          (error) =>
            done({
              error:
                error instanceof TollgateError
                  ? error
                  : new TollgateError('UNKNOWN', String(error)),
            }),
        );
    }, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [connection, document, key, attempt]);
  if (key === undefined)
    return { effects: undefined, data: undefined, error: undefined, isLoading: false, retry };
  if (planned?.key === key) return { ...planned, retry };
  return { effects: undefined, data: undefined, error: undefined, isLoading: true, retry };
}
