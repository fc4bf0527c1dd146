import { useEffect } from 'react';
import type { CombinedError } from 'urql';
import { useSession } from './session.tsx';

/** Leads back to the form to sign in when the key or the session of the caller is not valid any more. */
export function useRefusal(error: CombinedError | Error | undefined) {
  const { leave } = useSession();
  const errors = error && 'graphQLErrors' in error ? error.graphQLErrors : [];
  const refusal = errors.find(({ extensions }) => extensions.code === 'UNAUTHORIZED')?.message;
  useEffect(() => {
    if (refusal) leave(`You have been signed out: ${refusal}`);
  }, [refusal, leave]);
}
