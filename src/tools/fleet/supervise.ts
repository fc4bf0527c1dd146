import { sleepUnless } from '#engines/process/sleep-unless.ts';
import type { DatabaseMember } from './databases.ts';
import type { Member } from './member.ts';

const pauseMilliseconds = 1_000;
/** How long a member that has ended stays away, so that its absence can be watched. */
const absenceMilliseconds = 15_000;

interface Supervised {
  readonly members: readonly Member[];
  readonly databases: readonly DatabaseMember[];
  readonly report: (line: string) => void;
  readonly stop: AbortSignal;
  /** The absence of a member that has ended; 15 seconds when absent. */
  readonly absence?: number;
}

/**
 * Reports members that end and databases that change their roles, until `stop`. A member that has ended is started again
 * after 15 seconds, as a service manager does.
 */
export async function supervise({
  members,
  databases,
  report,
  stop,
  absence = absenceMilliseconds,
}: Supervised): Promise<void> {
  const endedAt = new Map<Member, number>();
  const rolesOf = () => Promise.all(databases.map((each) => each.role()));
  let roles = await rolesOf();
  while (!stop.aborted) {
    for (const member of members) {
      if (member.isRunning()) continue;
      const at = endedAt.get(member);
      if (at === undefined) {
        endedAt.set(member, performance.now());
        report(`${member.name} has ended; it is started again in ${absence / 1_000} s`);
      } else if (performance.now() - at >= absence) {
        endedAt.delete(member);
        member.start();
        report(`${member.name} is started again: process ${member.processId()}`);
      }
    }
    const present = await rolesOf();
    for (const [place, { name }] of databases.entries()) {
      const [before, now] = [roles[place], present[place]];
      if (before !== now) report(`${name} is ${now ?? 'away'}, and was ${before ?? 'away'}`);
    }
    roles = present;
    await sleepUnless(stop, pauseMilliseconds);
  }
}
