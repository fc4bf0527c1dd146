import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { tokenOf, useService } from './provider.tsx';

interface Props {
  /** The language of the pages, such as `de`; that of the browser when absent. */
  readonly locale?: string;
  /** The name of the frame for screen readers. */
  readonly title?: string;
  readonly className?: string;
  readonly style?: CSSProperties;
}

/** The height until the page has stated its own. */
const firstHeight = 600;

/**
 * The portal of the customer in a frame that is as high as its page. The token of the provider must name the origin of
 * this page in its `allowedOrigins`.
 */
export function CustomerPortal({ locale, title = 'Billing', className, style }: Props) {
  const { url, token } = useService();
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState<string>();
  const [height, setHeight] = useState(firstHeight);

  useEffect(() => {
    let isCurrent = true;
    void Promise.resolve(tokenOf(token)).then((text) => {
      if (isCurrent) setAddress(portalAddress(url, text, locale));
    });
    return () => {
      isCurrent = false;
    };
  }, [url, token, locale]);

  useEffect(() => {
    const resize = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow) return;
      const stated = (data as { tollgatePortalHeight?: unknown } | null)?.tollgatePortalHeight;
      if (typeof stated === 'number' && stated > 0) setHeight(stated);
    };
    window.addEventListener('message', resize);
    return () => window.removeEventListener('message', resize);
  }, []);

  const size = { display: 'block', width: '100%', height, border: 0, ...style };
  return <iframe ref={frame} src={address} title={title} className={className} style={size} />;
}

/** The address of the portal for a frame, with the customer token of its session. */
export function portalAddress(url: string, token: string, locale?: string): string {
  const base = url.endsWith('/') ? url : `${url}/`;
  const query = locale ? `?locale=${encodeURIComponent(locale)}` : '';
  return new URL(`portal/in/${token}${query}`, base).href;
}
