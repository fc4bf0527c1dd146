import path from 'node:path';
import { copyWithinReach } from './binaries-copy.ts';
import { DataDirError } from './data-dir-lock.ts';
import type { PostgresBinaries, PostgresBuild } from './postgres-builds.ts';
import { findBarrier, type SystemUser } from './system-user.ts';

/** Finds the programs of a build at a place where the user can run them. Errors: DataDirError. */
export async function locateBinaries(
  { binaries, build }: PostgresBuild,
  user: SystemUser | undefined,
): Promise<PostgresBinaries> {
  if (!user) return binaries;
  if (build === 'machine') {
    await refuseBarrier(binaries, user);
    return binaries;
  }
  const native = path.resolve(binaries.postgres, '..', '..');
  for (const part of ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql']) {
    const barrier = await findBarrier(path.join(native, part), user);
    if (barrier) return relocate(binaries, native, await copyWithinReach(native, barrier, user));
  }
  return binaries;
}

/** A PostgreSQL of the machine is not copied: a copy would not get its updates. */
async function refuseBarrier({ postgres, initdb }: PostgresBinaries, user: SystemUser) {
  for (const file of [postgres, initdb]) {
    const barrier = await findBarrier(file, user);
    if (!barrier) continue;
    throw new DataDirError(
      `The user postgres may not enter ${barrier}, where the programs of POSTGRES_BIN are: ` +
        `chmod o+x ${barrier}, or set POSTGRES_BIN to another folder or to embedded`,
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
