import type { HeaderReader } from './origins.ts';

/** How addresses of this service are derived. */
export interface OriginRule {
  /** `PUBLIC_URL`: it precedes all other sources. */
  readonly publicUrl?: string | undefined;
  /** Whether to trust a proxy's `X-Forwarded-*` headers about the address that the client used. */
  readonly trustProxy?: boolean | undefined;
}

const host = /^[0-9A-Za-z.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;
const prefix = /^(\/[\w.~-]+)+$/;

/** The origin of links to this service, without a slash at its end. */
export function publicOrigin(
  { publicUrl, trustProxy }: OriginRule,
  request: { readonly url: string; readonly headers: HeaderReader } | undefined,
) {
  if (publicUrl || !request) return publicUrl ?? '';
  const url = new URL(request.url);
  if (!trustProxy) return url.origin;
  // Each proxy appends its value, so the first one is the client's.
  const forwarded = (name: string) =>
    request.headers.get(`x-forwarded-${name}`)?.split(',')[0]?.trim() ?? '';
  const scheme = /^https?$/i.exec(forwarded('proto'))?.[0].toLowerCase();
  const path = forwarded('prefix').replace(/\/$/, '');
  const name = forwarded('host');
  return `${scheme ?? url.protocol.slice(0, -1)}://${host.test(name) ? name : url.host}${prefix.test(path) ? path : ''}`;
}
