import { Gauge, type Registry } from 'prom-client';
import type { Replicas } from '../replicas/replicas.ts';

/** The state of each replica as this process sees it. */
export function measureReplicas(registry: Registry, replicas: Replicas) {
  const lag = new Gauge({
    name: 'tollgate_replica_lag_seconds',
    help: 'The age of the newest write that a replica is known to have',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, lagSeconds } of replicas.states()) {
        if (lagSeconds !== null) this.set({ replica: name }, lagSeconds);
      }
    },
  });
  const usable = new Gauge({
    name: 'tollgate_replica_up',
    help: 'Whether a replica serves reads of this process: 1 or 0',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      for (const { name, usable } of replicas.states()) {
        this.set({ replica: name }, usable ? 1 : 0);
      }
    },
  });
  return [lag, usable];
}
