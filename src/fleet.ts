import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failTool } from '#server/tool-failure.ts';
import { parseFleetArguments, usage } from './deploy/fleet/arguments.ts';
import { runCells } from './deploy/fleet/run-cells.ts';
import { runFleet } from './deploy/fleet/run-fleet.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

try {
  const request = parseFleetArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fleet-'));
    try {
      const run = request.command === 'cells' ? runCells : runFleet;
      await run({ ...request, folder, stop: stop.signal });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 9 });
    }
  }
} catch (error) {
  failTool(error, usage);
}
