import { benchmarks } from './benchmarks.ts';
import { compare } from './compare.ts';
import { profile } from './profile.ts';
import { keepStatements } from './running/statements.ts';

const usual = 'get-usage-meter';
const [first = usual, ...others] = process.argv.slice(2);
const folder = others.find((text) => text.startsWith('--statements='))?.slice(13);
if (folder) keepStatements(folder);

try {
  if (first === 'profile') await profile(known(others[0] ?? usual), others.slice(1));
  else if (first === 'compare') await compare(others[0] ?? 'HEAD', known(others[1] ?? usual));
  else await (await benchmarks[known(first)]?.())?.();
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Errors: RangeError for a name that no benchmark has. */
function known(name: string): string {
  if (Object.hasOwn(benchmarks, name)) return name;
  throw new RangeError(
    `There is no benchmark ${name}, only ${Object.keys(benchmarks).join(', ')}; \`profile NAME\` and \`compare COMMIT NAME\` run one of them`,
  );
}
