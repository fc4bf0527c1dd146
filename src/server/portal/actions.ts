import type { DocumentNode } from 'graphql';
import * as operations from './operations.ts';
import { type Billing, isCurrent, type Plan, type Subscription } from './shapes.ts';
import type { TextName } from './texts/en.ts';

/** The actions whose only field is the id of an object. The customer token sees the objects of its customer only. */
export const actions: Readonly<Record<string, DocumentNode>> = {
  default: operations.makeDefault,
  detach: operations.detach,
  cancel: operations.cancel,
  uncancel: operations.uncancel,
  pause: operations.pause,
  resume: operations.resume,
  'keep-plan': operations.keepPlan,
  pay: operations.pay,
};

/** The text of the first page after an action, by its name in the address. */
export const messages: Readonly<Record<string, TextName>> = {
  default: 'doneDefault',
  detach: 'doneDetach',
  cancel: 'doneCancel',
  uncancel: 'doneUncancel',
  pause: 'donePause',
  resume: 'doneResume',
  'keep-plan': 'doneKeepPlan',
  pay: 'donePay',
  change: 'doneChange',
  later: 'doneLater',
  unpaid: 'doneUnpaid',
  bought: 'doneBought',
  ordered: 'doneOrdered',
  'not-for-sale': 'notForSale',
  added: 'doneAdded',
  open: 'doneOpen',
  'mails-on': 'doneMailsOn',
  'mails-off': 'doneMailsOff',
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
