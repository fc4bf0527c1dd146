import {
  type Choice,
  type Condition,
  type ConditionOf,
  choiceConditions,
} from '#domain/kernel/lists/where.ts';

export const cronRunOutcomes = ['succeeded', 'failed', 'unfinished'] as const;
type CronRunOutcome = (typeof cronRunOutcomes)[number];

const conditions: Readonly<Record<CronRunOutcome, Condition>> = {
  succeeded: { finishedAt: { $ne: null }, error: null },
  failed: { error: { $ne: null } },
  unfinished: { finishedAt: null, error: null },
};

/** Runs with one of these outcomes. */
export const outcomeOf: ConditionOf<Choice<CronRunOutcome>> = choiceConditions((outcomes) => ({
  $or: outcomes.map((outcome) => conditions[outcome]),
}));
