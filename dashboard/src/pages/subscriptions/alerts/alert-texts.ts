import { moneyText, numberText } from '../../../parts/texts/formats.ts';
import type { SubscriptionAlertsQuery } from './alerts.generated.ts';

export type Alert = SubscriptionAlertsQuery['alerts']['nodes'][number];

/** The terms of an alert, and of a rule for alerts. */
export type AlertTerms = Pick<
  Alert,
  'kind' | 'threshold' | 'percentages' | 'hardLimit' | 'active' | 'name' | 'usageMeter'
>;

/** The value that each kind compares. */
export const kindTexts: Readonly<Record<Alert['kind'], string>> = {
  usage: 'Usage of a period',
  projected_usage: 'Expected usage of a period',
  spend: 'Spend of a period',
  credits: 'Remaining credits',
  credit_hours: 'Hours until credits run out',
  credit_expiry: 'Hours until credits expire',
};

/** The kinds that can refuse usage. */
export const limitKinds: readonly Alert['kind'][] = ['usage', 'spend', 'credits'];

/** A value or a threshold of an alert in its unit. */
export const amountText = (kind: Alert['kind'], amount: number, currency: string): string =>
  kind === 'spend' ? moneyText(amount, currency) : numberText(amount);
