import type { Answer, RequestOptions } from '../test.ts';

type Api = (
  method: string,
  path: string,
  body?: unknown,
  options?: RequestOptions,
) => Promise<Answer>;

export const addresses = {
  successUrl: 'https://shop.example.com/thanks?x=1',
  cancelUrl: 'https://shop.example.com/cart',
};

/** Opens a checkout session that must be accepted. */
export async function aCheckout(api: Api, fields: object) {
  const { status, body } = await api('POST', '/checkout-sessions', {
    checkoutSession: { type: 'product', ...addresses, ...fields },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { checkoutSession: Record<string, unknown> & { id: string }; url: string };
}

export interface Visited {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** A customer of a checkout page, in process: opens it, or submits its form and follows to the page after it. */
export const visitor =
  (gateway: { fetch(url: string, init?: object): Response | Promise<Response> }) =>
  async (url: string, form?: Record<string, string>): Promise<Visited> => {
    const { pathname, search } = new URL(url);
    const body = form && new URLSearchParams({ ...details, ...form }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const init = body === undefined ? {} : { method: 'POST', body, headers };
    const response = await gateway.fetch(`http://test${pathname}${search}`, init);
    const next = response.status === 303 ? response.headers.get('location') : null;
    if (next) return visitor(gateway)(`http://test${next}`);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

const details = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  country: 'GB',
  city: 'London',
  token: 'sandbox_success',
  type: 'card',
};
