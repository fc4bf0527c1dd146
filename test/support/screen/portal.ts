import { test } from '../test.ts';

type Fields = Record<string, string>;

/** A test with browsers that visit the portal. */
export const portalTest = test.extend('visitor', ({ gateway }) => {
  /** A browser: it keeps the cookie and follows no redirect by itself. */
  return () => {
    let cookie = '';
    const visit = async (url: string, form?: Fields, headers: Fields = {}) => {
      const body = form && new URLSearchParams(form).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await gateway.fetch(new URL(url, 'http://test').href, {
        ...(body && { method: 'POST', body }),
        headers: { ...(body && { ...type, origin: 'http://test' }), cookie, ...headers },
        redirect: 'manual',
      });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      const location = response.headers.get('location');
      return {
        status: response.status,
        text: await response.text(),
        headers: response.headers,
        location,
      };
    };
    return Object.assign(visit, { cookie: () => cookie });
  };
});

/** The hidden fields of the first form of a page that has this action and these fields. */
export function formIn(text: string, action: string, wanted: Fields = {}): Fields {
  for (const [, fields = ''] of text.matchAll(
    new RegExp(`<form method="post" action="/portal/${action}">(.*?)</form>`, 'gs'),
  )) {
    const found = Object.fromEntries(
      [...fields.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    if (Object.entries(wanted).every(([name, value]) => found[name] === value)) return found;
  }
  throw new Error(`The page has no form ${action}`);
}

/** The link to the portal of a customer. */
export async function linkOf(
  api: (...call: [string, string]) => Promise<{ body: { billingPortalUrl: string } }>,
  externalId = 'ada',
) {
  return (await api('GET', `/customers/${externalId}/billing`)).body.billingPortalUrl;
}
