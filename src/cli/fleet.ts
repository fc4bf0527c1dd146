import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseFleetArguments, usage } from '../tools/fleet/arguments.ts';
import { runCells } from '../tools/fleet/run-cells.ts';
import { runFleet } from '../tools/fleet/run-fleet.ts';
import type { Program } from '../tools/terminal.ts';

/** `npm run fleet` starts the recipe of `src/deploy` on this machine. */
export const program: Program = {
  usage,
  async run({ args, print, stop }) {
    const stopped = stop();
    const request = parseFleetArguments(args);
    if (request.command === 'help') return void print(usage);
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fleet-'));
    try {
      const run = request.command === 'cells' ? runCells : runFleet;
      await run({ ...request, folder, print, stop: stopped });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 9 });
    }
    return 0;
  },
};
