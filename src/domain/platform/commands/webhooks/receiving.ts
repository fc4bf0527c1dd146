import { type Choice, type ConditionOf, choiceConditions } from '#domain/kernel/lists/where.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';

/** Webhooks that receive one of these event types. */
export const receiving: ConditionOf<Choice<EventType>> = choiceConditions((types) => ({
  filterTypes: { $overlap: [...types] },
}));
