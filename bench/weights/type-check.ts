import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '#root';
import { statOf, ticks } from '../running/processor-time.ts';

const kept = path.join(root, 'node_modules/.cache/tsc');

/** The processor seconds of checking all types, without and with what an earlier check has kept. */
export function measureTypeCheck(): { readonly cold: number; readonly warm: number } {
  rmSync(kept, { recursive: true, force: true });
  return { cold: check(), warm: check() };
}

function check(): number {
  const before = ofChildren();
  for (const project of ['-b', '-p dashboard']) {
    const command = ['node_modules/typescript/bin/tsc', ...project.split(' ')];
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`tsc ${project} has found wrong types`);
  }
  return ofChildren() - before;
}

const ofChildren = () => (statOf(process.pid)?.ended ?? 0) / ticks;
