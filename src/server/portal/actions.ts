import type { DocumentNode } from 'graphql';
import * as operations from './operations.ts';
import { type Billing, isCurrent, type Plan, type Subscription } from './shapes.ts';

/** An action of a form. */
export interface Action {
  readonly document: DocumentNode;
  /** Said on the first page afterwards. */
  readonly done: string;
}

/** The actions whose only field is the id of an object. The customer token sees the objects of its customer only. */
export const actions: Readonly<Record<string, Action>> = {
  default: { document: operations.makeDefault, done: 'The default payment method is changed.' },
  detach: { document: operations.detach, done: 'The payment method is removed.' },
  cancel: { document: operations.cancel, done: 'The subscription ends with its present period.' },
  uncancel: { document: operations.uncancel, done: 'The subscription continues.' },
  'keep-plan': { document: operations.keepPlan, done: 'The present plan stays.' },
  pay: { document: operations.pay, done: 'The payment was sent.' },
};

/** All that the first page may say after an action, by its name in the address. */
export const messages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(actions).map(([name, { done }]) => [name, done])),
  change: 'The plan is changed.',
  later: 'The plan changes at the end of the present period.',
  unpaid: 'The plan changes as soon as the payment is received.',
  added: 'The payment method is added.',
  open: 'No payment method was added.',
};

export const subscriptionOf = ({ subscriptions }: Billing, id: string): Subscription | undefined =>
  subscriptions.find((each) => each.id === id && isCurrent(each));

/** The items after a change of the plan: the item of the plan has the new price, and the others stay. */
export function adjustmentTo({ pricedItems, price }: Subscription, plan: Pick<Plan, 'id'>) {
  const main = pricedItems.find(({ priceId }) => priceId === price?.id) ?? pricedItems[0];
  const others = pricedItems.filter(({ id }) => id !== main?.id);
  const kept = others.map(({ id, quantity }) => ({ id, quantity }));
  const newItem = { priceId: plan.id, quantity: main?.quantity ?? 1 };
  return { timing: 'auto', newSubscriptionItems: [newItem, ...kept] };
}
