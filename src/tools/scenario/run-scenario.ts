import type { Difference } from './compare.ts';
import { expect } from './expect.ts';
import { pathsOf } from './operations.ts';
import { wantedOf } from './references.ts';
import type { Scenario } from './scenario.ts';
import type { Service } from './service.ts';
import { act, advance, find, prepare, take } from './steps.ts';

/** A difference, with the line of its step. */
export interface LocatedDifference extends Difference {
  readonly line: number;
}

/**
 * Executes a scenario. Returns the differences between what it expects and what happened; an action that does not end
 * as expected is the last step, since later ones build on it. Errors: ScenarioError for steps that the graph refuses
 * to understand, and for settings or a catalog that the service refuses. `folder` is that of the file.
 */
export async function runScenario(
  scenario: Scenario,
  service: Service,
  folder = '.',
): Promise<LocatedDifference[]> {
  const wanted = wantedOf(scenario);
  const run = await prepare(scenario, service, folder);
  const found: LocatedDifference[] = [];
  for (const step of scenario.steps) {
    if (step.kind === 'expect' || step.kind === 'advance') await service.applyAlertRules();
    if (step.kind === 'expect') {
      await service.sendMails();
      for (const one of step.expected) found.push(...located(one.line, await expect(one, run)));
      continue;
    }
    if (step.kind === 'import') {
      const others = await take(step, run);
      if (others.length > 0) return [...found, ...located(step.line, others)];
      continue;
    }
    const failure =
      step.kind === 'advance'
        ? await advance(step, run)
        : step.kind === 'find'
          ? await find(step, run, pathsOf(wanted, step.as))
          : await act(step, run, pathsOf(wanted, step.as));
    if (failure) return [...found, ...located(step.line, [failure])];
  }
  return found;
}

const located = (line: number, list: readonly Difference[]): LocatedDifference[] =>
  list.map((difference) => ({ ...difference, line }));
