import type { MikroORM } from '@mikro-orm/postgresql';
import { Gauge, type Registry } from 'prom-client';
import type { PooledConnection } from '../database/pooled-connection.ts';

/** The connections of this process to the database, when they are asked for. */
export const measurePool = (registry: Registry, orm: MikroORM) =>
  new Gauge({
    name: 'tollgate_pool_connections',
    help: 'Connections to the database: in use and idle; and callers that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { pool } = orm.em.getConnection() as unknown as PooledConnection;
      if (!pool) return;
      const { idleCount, totalCount, waitingCount } = pool;
      this.set({ state: 'used' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
