import type { EventType } from '#domain/events/event-types.ts';
import { type Choice, type ConditionOf, choiceConditions } from '#domain/kernel/where.ts';

/** Webhooks that receive one of these event types. */
export const receiving: ConditionOf<Choice<EventType>> = choiceConditions((types) => ({
  filterTypes: { $overlap: [...types] },
}));
