import { type CustomerOptions, portalOf } from './customer.ts';

export interface PortalOptions extends CustomerOptions {
  /** Where a visitor goes, such as `/sign-in`; the answer is 401 when absent. */
  readonly signInPath?: string;
  /** The language of the pages, such as `de`; that of the browser when absent. */
  readonly localeOf?: (request: Request) => string | undefined;
}

/** Redirects a customer to the portal: `export const GET = portalRoute({ … })`. The link is a new one for each visit. */
export const portalRoute =
  ({ connection, customerOf, signInPath, localeOf }: PortalOptions) =>
  async (request: Request): Promise<Response> => {
    const externalId = await customerOf(request);
    if (externalId) return to(await portalOf(connection, externalId, localeOf?.(request)));
    return signInPath === undefined
      ? new Response('Sign in first', { status: 401 })
      : to(new URL(signInPath, request.url).href);
  };

/** An answer that no cache keeps: the address opens a session. */
const to = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
