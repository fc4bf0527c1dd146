import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** npm links the command of a package for those that depend on it, and this for its own clone: `npx tollgate`. */
export function linkCommand(root) {
  const commands = join(root, 'node_modules', '.bin');
  const command = join(commands, 'tollgate');
  if (process.platform === 'win32' || !existsSync(commands) || existsSync(command)) return;
  try {
    symlinkSync(join('..', '..', 'src', 'launch', 'tollgate.js'), command);
  } catch {
    // The folder may be read-only, or another process has made the link: npx finds the command without it, too.
  }
}
