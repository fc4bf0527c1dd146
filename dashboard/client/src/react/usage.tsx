import type { ReactNode } from 'react';
import type { BalanceFragment } from '../operations.generated.ts';
import { useBalance } from './hooks.ts';
import { StatePart, type StateProps } from './state-part.tsx';

interface Props extends StateProps {
  /** The slug of the usage meter. */
  readonly meter: string;
  /** The language of numbers, such as `de`; that of the browser when absent. */
  readonly locale?: string;
  /** The line below the bar. */
  readonly textOf?: (balance: BalanceFragment) => string;
  /** The content for a customer without a subscription. */
  readonly fallback?: ReactNode;
}

/** The usage of a meter in the current billing period, with a bar where credits limit it. It follows each use. */
export function Usage({ meter, locale, textOf, fallback, className, ...states }: Props) {
  const { state, data: balance, error, isLive } = useBalance(meter);
  if (state !== 'data') {
    return <StatePart name="usage" error={error} className={className} {...states} />;
  }
  const attributes = { 'data-tollgate': 'usage', 'data-meter': meter, className };
  if (!balance) {
    return (
      <div {...attributes} data-state="empty">
        {fallback ?? 'No usage'}
      </div>
    );
  }
  const { name, used, granted } = balance;
  return (
    <figure {...attributes} data-state={stateOf(balance)} data-live={isLive}>
      <figcaption>{name}</figcaption>
      {granted > 0 && (
        <meter min={0} max={granted} value={Math.min(used, granted)} aria-label={name} />
      )}
      <p>{textOf ? textOf(balance) : usageText(balance, locale)}</p>
    </figure>
  );
}

/** `over` while some usage is covered by no credits. */
const stateOf = ({ granted, overage }: BalanceFragment) => {
  if (granted <= 0) return 'unlimited';
  return overage > 0 ? 'over' : 'within';
};

function usageText({ used, granted, available }: BalanceFragment, locale: string | undefined) {
  const number = (value: number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value);
  if (granted <= 0) return `${number(used)} used`;
  const rest = available < 0 ? `${number(-available)} above` : `${number(available)} left`;
  return `${number(used)} of ${number(granted)} used, ${rest}`;
}
