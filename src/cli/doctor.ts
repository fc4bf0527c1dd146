import { readConfig } from '#config';
import { type Finding, linesOf } from '../tools/doctor/finding.ts';
import { runDoctor } from '../tools/doctor/run-doctor.ts';
import type { Program } from '../tools/terminal.ts';

/** `tollgate doctor` checks an installation. The exit code is 1 with any error. */
export const program: Program = {
  async run({ environment, print }) {
    const counts = { ok: 0, warning: 0, error: 0 };
    await runDoctor(readConfig(environment), (finding: Finding) => {
      counts[finding.level] += 1;
      print(`${linesOf(finding)}\n`);
    });
    print(`\n${counts.ok} ok, ${counts.warning} warnings, ${counts.error} errors\n`);
    return counts.error > 0 ? 1 : 0;
  },
};
