import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A text in a file of tests that uses a program, and Debian's packages with that program. */
const programs: readonly (readonly [sign: RegExp, packages: string])[] = [
  [/support\/(browser|screen\/dashboard)\.ts'/, 'chromium-headless-shell'],
  [/support\/servers\/nats\.ts'/, 'nats-server'],
  [/support\/servers\/pgbouncer\.ts'/, 'pgbouncer'],
  [/findPrograms/, 'etcd-server, patroni, haproxy, pgbouncer and postgresql'],
  [/findHaproxy/, 'haproxy'],
  [/pgbackrest/, 'pgbackrest and postgresql'],
  [/openssl/, 'openssl'],
  [/bin\/buildah/, 'buildah and mmdebstrap'],
  [/test\/clients\/python/, 'python3 and golang-go'],
];

/** A file in the report of vitest. */
export interface FileReport {
  readonly name: string;
  readonly assertionResults: readonly TestReport[];
}

interface TestReport {
  readonly fullName: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly failureMessages: readonly string[];
}

const isSkipped = ({ status }: TestReport) => status === 'skipped' || status === 'pending';

/** The skipped tests of a run; of those with a tag, where the run leaves out all others. */
export const skippedTests = (file: FileReport, tag?: string): readonly TestReport[] =>
  file.assertionResults.filter((test) => isSkipped(test) && (!tag || test.tags.includes(tag)));

/** A line for each file with skipped tests: how many they are, and the programs that they may lack. */
export function skippedIn(files: readonly FileReport[], tag?: string): string[] {
  return files.flatMap((tested) => {
    const { name } = tested;
    const count = skippedTests(tested, tag).length;
    if (count === 0) return [];
    const text = readFileSync(name, 'utf8');
    const needed = programs.flatMap(([sign, packages]) => (sign.test(text) ? [packages] : []));
    const file = path.relative('.', name);
    return `Skipped: ${count} of ${file}${needed.length > 0 ? `, which needs Debian's ${needed.join(', ')}` : ''}`;
  });
}

/** A line for each test that has passed after a failure, with that failure. */
export const retriedIn = (files: readonly FileReport[]): string[] =>
  linesOf(
    files,
    ({ status, failureMessages: { length } }) => status === 'passed' && length > 0,
    'Retried',
  );

/** A line for each failed test; its report may be thousands of lines above. */
export const failedIn = (files: readonly FileReport[]): string[] =>
  linesOf(files, ({ status }) => status === 'failed', 'FAILED');

function linesOf(
  files: readonly FileReport[],
  isMeant: (test: TestReport) => boolean,
  head: string,
) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isMeant).map(({ fullName, failureMessages: [first = ''] }) => {
      const [failure] = first.split('\n');
      return `${head}: ${path.relative('.', name)} > ${fullName}: ${failure}`;
    }),
  );
}
