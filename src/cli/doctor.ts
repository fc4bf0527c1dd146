import { readConfig } from '#config';
import { type Finding, linesOf } from '../tools/doctor/finding.ts';
import { runDoctor } from '../tools/doctor/run-doctor.ts';
import { asksForHelp, asksForJson } from '../tools/read-arguments.ts';
import type { Program } from '../tools/terminal.ts';
import { jsonText } from '../tools/text-table.ts';

const usage = `Usage: tollgate doctor [--json]

  Checks an installation: settings, machine, database, data. The exit code is 1 with any error.
`;

/** `tollgate doctor` checks an installation. The exit code is 1 with any error. */
export const program: Program = {
  usage,
  async run({ args, environment, print }) {
    if (asksForHelp(args)) return void print(usage);
    const json = asksForJson(args);
    const findings: Finding[] = [];
    await runDoctor(readConfig(environment), (finding: Finding) => {
      findings.push(finding);
      if (!json) print(`${linesOf(finding)}\n`);
    });
    const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
    const [ok, warnings, errors] = [count('ok'), count('warning'), count('error')];
    print(json ? jsonText(findings) : `\n${ok} ok, ${warnings} warnings, ${errors} errors\n`);
    return errors > 0 ? 1 : 0;
  },
};
