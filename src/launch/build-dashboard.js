import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.js';
import { run, say } from './run.js';

const program = join('dashboard', 'build.ts');

/** Whether the tool that builds the dashboard is there. It is a development package, which `--omit=dev` leaves out. */
export const canBuild = (root) => existsSync(join(root, 'node_modules', 'vite'));

/**
 * Builds the dashboard where npm has not done so, as with `ignore-scripts=true`. A service without the tool for it
 * starts without a dashboard, and says so itself; so does one whose folder is read-only.
 */
export async function buildDashboard(root) {
  if (isBuilt(root) || !canBuild(root)) return;
  try {
    await oneAtATime(root, () => build(root));
  } catch ({ message }) {
    say(`The dashboard cannot be built: ${message}. \`npm run build\` tries it again`);
  }
}

async function build(root) {
  // Another process may have built it meanwhile.
  if (isBuilt(root)) return;
  say('Building the dashboard, which takes half a minute');
  const launch = join(root, 'src', 'launch.js');
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const code = await run(process.execPath, [launch, program], options);
  if (code !== 0) throw new Error(`${program} has ended with exit code ${code}`);
}

/** The page of GraphiQL is the last one that a build writes. */
const isBuilt = (root) => existsSync(join(root, 'dashboard', 'dist', 'graphiql.html'));
