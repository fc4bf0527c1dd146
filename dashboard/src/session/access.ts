/** How the page reaches the service: with a secret key, or as an operator with the cookie of a session. */
export type Access =
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'operator';
      readonly csrfToken: string;
      readonly livemode: boolean;
      /** The pricing model whose numbers are shown; the default one when absent. */
      readonly pricingModelId: string | null;
      readonly scopes: readonly string[];
      readonly operator: {
        readonly id: string;
        readonly name: string;
        readonly email: string;
        readonly role: string;
        readonly hasSecondFactor: boolean;
      };
    };

const keyName = 'tollgate.key';
const livemodeName = 'tollgate.livemode';
const modelName = 'tollgate.pricing-model';

/** The key of this tab; another tab and a later visit have none. */
export const keptKey = () => sessionStorage.getItem(keyName);
export const keepKey = (key: string) => sessionStorage.setItem(keyName, key);

/**
 * The key of a link: `#key=…`. The address loses it, so that neither the history nor a copy of the address has it. It is not
 * kept: a link may come from anyone, and its key may belong to another business.
 */
export function takeKeyOfLink(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!key || !/^sk_(test|live)_\w{8,}$/.test(key)) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

/** Whether the operator of this tab sees live data. */
export const keptLivemode = () => sessionStorage.getItem(livemodeName) === 'true';
export const keepLivemode = (livemode: boolean) =>
  sessionStorage.setItem(livemodeName, String(livemode));

/** The pricing model that the operator of this tab has chosen. */
export const keptPricingModel = () => sessionStorage.getItem(modelName);
export function keepPricingModel(id: string | null) {
  if (id === null) sessionStorage.removeItem(modelName);
  else sessionStorage.setItem(modelName, id);
}

export function forgetAccess() {
  sessionStorage.removeItem(keyName);
  sessionStorage.removeItem(livemodeName);
  sessionStorage.removeItem(modelName);
}

export const isLive = (access: Access) =>
  access.kind === 'key' ? access.key.startsWith('sk_live_') : access.livemode;

/** The headers by which the service knows the caller. */
export function headersOf(access: Access): Record<string, string> {
  if (access.kind === 'key') return { authorization: `Bearer ${access.key}` };
  return {
    'tollgate-csrf': access.csrfToken,
    'tollgate-livemode': String(access.livemode),
    ...(access.pricingModelId && { 'tollgate-pricing-model': access.pricingModelId }),
  };
}
