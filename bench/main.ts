import { secretsKeyFrom, useSecretsKeys } from '#domain/kernel/secrets.ts';
import { billingRuns } from './billing-runs.ts';
import { claims } from './claims.ts';
import { getUsageMeter } from './get-usage-meter.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { secretsKey } from './secrets-key.ts';
import { testClocks } from './test-clocks.ts';
import { transitions } from './transitions.ts';
import { usage } from './usage.ts';

/** Every benchmark. Each measures the service against a bare baseline, in one run, as a ratio. */
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  'billing-runs': billingRuns,
  claims,
  'get-usage-meter': getUsageMeter,
  limits,
  lists,
  live,
  'test-clocks': testClocks,
  transitions,
  usage,
};

const key = secretsKeyFrom(secretsKey);
if (key) useSecretsKeys([key]);

const [name = 'get-usage-meter'] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark) await benchmark();
else {
  process.stderr.write(
    `There is no benchmark ${name}, only ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exitCode = 1;
}
