import type { AlertRulesQuery } from './alert-rules.generated.ts';

/** An alert that each customer of the pricing model has. */
export type AlertRule = AlertRulesQuery['alertRules']['nodes'][number];
