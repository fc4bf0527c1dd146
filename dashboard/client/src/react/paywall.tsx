import type { ReactNode } from 'react';
import { useEntitlement } from './hooks.ts';
import { StatePart, type StateProps } from './state-part.tsx';

interface Props extends StateProps {
  /** The slug of the feature. */
  readonly feature: string;
  /** The content for a customer with the feature. */
  readonly children?: ReactNode;
  /** The content for a customer without it, such as a `PricingTable`. */
  readonly fallback?: ReactNode;
}

/**
 * Shows its children to a customer who has a feature, from the moment that it is granted until it ends. It is a help for
 * the eye: your server checks the feature before it does what the feature allows.
 */
export function Paywall({ feature, children, fallback, className, ...states }: Props) {
  const { data, error } = useEntitlement(feature);
  if (!data) return <StatePart name="paywall" error={error} className={className} {...states} />;
  if (data.isGranted) return children;
  return (
    <section
      data-tollgate="paywall"
      data-state="locked"
      data-feature={feature}
      className={className}
    >
      {fallback ?? <p>Your plan does not include this.</p>}
    </section>
  );
}
