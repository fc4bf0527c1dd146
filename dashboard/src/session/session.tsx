import { Center, Loader } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import {
  type Access,
  forgetAccess,
  keepKey,
  keepLivemode,
  keptKey,
  keptLivemode,
} from './access.ts';
import { type OperatorSession, readSession, type SignInWays, signOut } from './requests.ts';
import { SignInPage } from './sign-in-page.tsx';

interface Session {
  readonly access: Access;
  /** Ends the session; the reason is shown above the form. */
  readonly leave: (reason?: string) => void;
  /** Chooses test or live data. Operators only: a key has one mode. */
  readonly choose: (livemode: boolean) => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session around this component');
  return session;
}

const operatorAccess = ({ operator, csrfToken }: OperatorSession): Access => ({
  kind: 'operator',
  operator,
  csrfToken,
  livemode: keptLivemode(),
});

/** Shows the pages to a caller who is known, and the form to sign in to all others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [access, setAccess] = useState<Access | undefined>(() => {
    const key = keptKey();
    return key ? { kind: 'key', key } : undefined;
  });
  const [ways, setWays] = useState<SignInWays | undefined>();
  const [reason, setReason] = useState<string | undefined>();

  useEffect(() => {
    if (access || ways) return;
    readSession().then(
      (found) => ('operator' in found ? setAccess(operatorAccess(found)) : setWays(found)),
      () => setWays({ accounts: false, oidc: null }),
    );
  }, [access, ways]);

  const session = useMemo(
    () =>
      access && {
        access,
        leave(why?: string) {
          if (access.kind === 'operator' && !why) void signOut(access.csrfToken);
          forgetAccess();
          setReason(why);
          setWays(undefined);
          setAccess(undefined);
        },
        choose(livemode: boolean) {
          keepLivemode(livemode);
          if (access.kind === 'operator') setAccess({ ...access, livemode });
        },
      },
    [access],
  );

  if (session) return <SessionContext value={session}>{children}</SessionContext>;
  if (!ways) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return (
    <SignInPage
      ways={ways}
      reason={reason}
      onKey={(key) => {
        keepKey(key);
        setAccess({ kind: 'key', key });
      }}
      onOperator={(found) => setAccess(operatorAccess(found))}
    />
  );
}
