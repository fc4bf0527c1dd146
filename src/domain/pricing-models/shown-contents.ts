import { Attached } from '#domain/kernel/attached.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import type { PricingModel } from './pricing-model.ts';

const shown = new WeakSet<PricingModel>();
const inside = new Attached<Session['em'], Map<string, Session>>();

/** Lets the answer to a command show the contents of a pricing model that it has written, whosever key asked. */
export function showContents(model: PricingModel): PricingModel {
  shown.add(model);
  return model;
}

/** Whether a caller sees the contents: those of the own pricing model, and of one that its command has written. */
export const showsContents = ({ pricingModelId }: Session, model: PricingModel) =>
  model.id === pricingModelId || shown.has(model);

interface Place {
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/** The session in the pricing model of a row that the caller sees. It is the same for all rows of one request. */
export function within(session: Session, { pricingModelId, livemode }: Place): Session {
  if (pricingModelId === session.pricingModelId) return session;
  const known = inside.get(session.em) ?? new Map<string, Session>();
  inside.set(session.em, known);
  const entered = known.get(pricingModelId) ?? enterPricingModel(session, pricingModelId, livemode);
  known.set(pricingModelId, entered);
  return entered;
}
