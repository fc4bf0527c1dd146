import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

/**
 * `npm run simulate -- --seed 7 --seconds 3600`: the simulation with faults for a longer time. A failure names the
 * seed and the first answer that differs from the model.
 */
const usage = 'Usage: npm run simulate -- [--seed NUMBER] [--seconds NUMBER]\n';

const wholeNumber = (text: string, least: number) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least;

try {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      seconds: { type: 'string', default: '600' },
    },
  });
  if (!wholeNumber(values.seed, 0) || !wholeNumber(values.seconds, 1)) {
    throw new Error('--seed and --seconds must be whole numbers');
  }
  process.stdout.write(`Simulating for ${values.seconds} s from the seed ${values.seed}\n`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const child = spawn(process.execPath, [...vitest, 'test/system/simulation'], {
    stdio: 'inherit',
    // biome-ignore lint/style/noProcessEnv: the test reads its seed and its time from there
    env: { ...process.env, SIMULATION_SEED: values.seed, SIMULATION_SECONDS: values.seconds },
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
