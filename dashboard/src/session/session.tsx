import { Center, Loader } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import {
  type Access,
  forgetAccess,
  keepKey,
  keepLivemode,
  keepPricingModel,
  keptKey,
  keptLivemode,
  keptPricingModel,
  takeKeyOfLink,
} from './access.ts';
import { type OperatorSession, readSession, type SignInWays, signOut } from './requests.ts';
import { SignInPage } from './sign-in-page.tsx';

interface Session {
  readonly access: Access;
  /** Ends the session; the reason is shown above the form. */
  readonly leave: (reason?: string) => void;
  /** Chooses test or live data. Operators only: a key has one mode. */
  readonly choose: (livemode: boolean, pricingModelId?: string | null) => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session around this component');
  return session;
}

const operatorAccess = ({ operator, csrfToken, scopes }: OperatorSession): Access => ({
  kind: 'operator',
  operator,
  csrfToken,
  scopes,
  livemode: keptLivemode(),
  pricingModelId: keptPricingModel(),
});

const redirectProblems: Readonly<Record<string, string>> = {
  oidc_unavailable: 'The identity provider cannot be reached. Try again soon.',
  oidc_expired: 'The sign-in took too long. Try again.',
  oidc_failed: 'The identity provider refused the sign-in.',
  oidc_unverified: 'The identity provider has not verified your e-mail.',
  oidc_unknown: 'No operator has your e-mail. Ask an owner for an invitation.',
  oidc_other_identity: 'Your e-mail belongs to another account at the identity provider.',
};

/** The reason why a sign-in at an identity provider led back here. */
function redirectProblem(): string | undefined {
  const code = new URLSearchParams(location.search).get('error');
  return code === null ? undefined : (redirectProblems[code] ?? 'The sign-in failed.');
}

/** Shows the pages to a caller who is known, and the form to sign in to all others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [keyOfLink, setKeyOfLink] = useState(takeKeyOfLink);
  const [access, setAccess] = useState<Access | undefined>(() => {
    const key = keyOfLink ? null : keptKey();
    return key ? { kind: 'key', key } : undefined;
  });
  const [ways, setWays] = useState<SignInWays | undefined>();
  const [reason, setReason] = useState<string | undefined>();

  useEffect(() => {
    if (access || ways) return;
    if (keyOfLink) return setWays({ accounts: false, oidc: null });
    readSession().then(
      (found) => ('operator' in found ? setAccess(operatorAccess(found)) : setWays(found)),
      () => setWays({ accounts: false, oidc: null }),
    );
  }, [access, ways, keyOfLink]);

  const session = useMemo(
    () =>
      access && {
        access,
        leave(why?: string) {
          if (access.kind === 'operator' && !why) void signOut(access.csrfToken);
          forgetAccess();
          setKeyOfLink(null);
          setReason(why);
          setWays(undefined);
          setAccess(undefined);
        },
        choose(livemode: boolean, pricingModelId: string | null = null) {
          keepLivemode(livemode);
          keepPricingModel(pricingModelId);
          if (access.kind === 'operator') setAccess({ ...access, livemode, pricingModelId });
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
      reason={reason ?? redirectProblem()}
      keyOfLink={keyOfLink}
      onKey={(key) => {
        keepKey(key);
        setAccess({ kind: 'key', key });
      }}
      onOperator={(found) => setAccess(operatorAccess(found))}
    />
  );
}
