import type { MikroORM } from '@mikro-orm/postgresql';
import { type AbsentOrganizations, setAbsent } from '#domain/kernel/absent-organizations.ts';

type Listener = (organizations: AbsentOrganizations) => void;

/** The organizations that the database does not serve now, as this process knows them. */
export interface Absence {
  /** Sets them for all pools. */
  readonly set: Listener;
  /** Sets them for another pool of this process, too. */
  alsoFor(orm: MikroORM): void;
  /** Calls back with the organizations that are absent now, those of before included. */
  onChange(listener: Listener): void;
}

/** Keeps the organizations that are absent for the pools of a process. */
export function followAbsence(orm: MikroORM): Absence {
  const pools = new Set([orm]);
  const listeners: Listener[] = [];
  let known: AbsentOrganizations = new Map();
  return {
    set(organizations) {
      known = organizations;
      for (const { em } of pools) setAbsent(em, known);
      for (const listener of listeners) listener(known);
    },
    alsoFor(pool) {
      pools.add(pool);
      setAbsent(pool.em, known);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
