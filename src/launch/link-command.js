import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Links the command `tollgate` of a clone into `node_modules/.bin`. npm does so only for those that depend on a package,
 * and `npx` in a clone installs that into a folder of its own, and builds it again.
 */
export function linkCommand(root) {
  const commands = join(root, 'node_modules', '.bin');
  const command = join(commands, 'tollgate');
  if (process.platform === 'win32' || !existsSync(commands) || existsSync(command)) return;
  try {
    symlinkSync(join('..', '..', 'src', 'launch', 'tollgate.js'), command);
  } catch {
    // The folder may be read-only, or another process has made the link. The service needs none.
  }
}
