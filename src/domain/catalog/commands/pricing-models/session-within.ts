import { Attached } from '#domain/kernel/reads/attached.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';

const inside = new Attached<Session['em'], Map<string, Session>>();

interface Place {
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/** The session in the pricing model of a row that the caller sees. It is the same for all rows of one request. */
export function sessionWithin(session: Session, { pricingModelId, livemode }: Place): Session {
  if (pricingModelId === session.pricingModelId) return session;
  const known = inside.get(session.em) ?? new Map<string, Session>();
  inside.set(session.em, known);
  const entered = known.get(pricingModelId) ?? enterPricingModel(session, pricingModelId, livemode);
  known.set(pricingModelId, entered);
  return entered;
}
