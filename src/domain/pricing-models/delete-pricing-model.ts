import type { Session } from '#domain/kernel/session.ts';
export const deletePricingModel = async (_: Session) => {};
