import { Counter, type Registry } from 'prom-client';
import { type ChargeOutcome, chargeOutcomes } from '#domain/money/collection/charge-outcomes.ts';

/** Counts the outcomes of charges that this process records. Returns a function that ends it. */
export function countCharges(registry: Registry): () => void {
  const counter = new Counter({
    name: 'tollgate_charge_outcomes_total',
    help: 'Outcomes of charges that this process has recorded, by the status of the payment',
    labelNames: ['status', 'livemode'],
    registers: [registry],
  });
  const count = (message: unknown) => {
    const { status, livemode } = message as ChargeOutcome;
    counter.inc({ status, livemode: String(livemode) });
  };
  chargeOutcomes.subscribe(count);
  return () => chargeOutcomes.unsubscribe(count);
}
