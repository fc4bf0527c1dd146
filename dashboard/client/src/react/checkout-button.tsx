import { type ReactNode, useEffect, useState } from 'react';

/** The price that a customer wants to buy. */
export interface WantedPrice {
  readonly priceId: string;
  readonly quantity: number;
}

/**
 * How a page gets the address of a checkout session, which only a secret key creates: the path of your server to which
 * the wanted price is sent as JSON and that answers `{ "url": … }`, or a function.
 */
export type Checkout = string | ((wanted: WantedPrice) => string | Promise<string>);

interface Props {
  readonly checkout: Checkout;
  /** The id of the price. */
  readonly price: string;
  readonly quantity?: number;
  readonly disabled?: boolean | undefined;
  readonly className?: string | undefined;
  /** The message where no session was created. */
  readonly failure?: ReactNode;
  readonly children?: ReactNode;
}

/** Leads to the checkout of a price. It is disabled until the page of the checkout is open, so one click is one session. */
export function CheckoutButton({
  checkout,
  price,
  quantity = 1,
  disabled = false,
  className,
  failure = 'The checkout cannot be opened now. Try again.',
  children = 'Buy',
}: Props) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');

  // A browser may keep the page as it is for a customer who comes back from the checkout.
  useEffect(() => {
    const reset = ({ persisted }: PageTransitionEvent) => persisted && setState('idle');
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  async function open() {
    setState('busy');
    try {
      window.location.assign(await addressOf(checkout, { priceId: price, quantity }));
    } catch (error) {
      setState('failed');
      reportError(error);
    }
  }

  return (
    <span data-tollgate="checkout" data-state={state} className={className}>
      <button
        type="button"
        disabled={disabled || state === 'busy'}
        aria-busy={state === 'busy'}
        onClick={() => void open()}
      >
        {children}
      </button>
      {state === 'failed' && <span role="alert">{failure}</span>}
    </span>
  );
}

async function addressOf(checkout: Checkout, wanted: WantedPrice): Promise<string> {
  const text =
    typeof checkout === 'function' ? await checkout(wanted) : await asked(checkout, wanted);
  const { protocol, href } = new URL(text, window.location.href);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(`${protocol} opens no checkout`);
  return href;
}

async function asked(path: string, wanted: WantedPrice): Promise<string> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const { url } = (await response.json()) as { url?: unknown };
  if (typeof url !== 'string') throw new Error(`${path} answered without url`);
  return url;
}
