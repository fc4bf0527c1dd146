import { readConfig } from '#config';
import { failTool } from '#server/tool-failure.ts';
import { type Finding, linesOf } from './doctor/finding.ts';
import { runDoctor } from './doctor/run-doctor.ts';

/** `npm run doctor` checks an installation. The exit code is 1 with any error. */
try {
  const counts = { ok: 0, warning: 0, error: 0 };
  await runDoctor(readConfig(), (finding: Finding) => {
    counts[finding.level] += 1;
    process.stdout.write(`${linesOf(finding)}\n`);
  });
  process.stdout.write(`\n${counts.ok} ok, ${counts.warning} warnings, ${counts.error} errors\n`);
  if (counts.error > 0) process.exitCode = 1;
} catch (error) {
  failTool(error);
}
