/**
 * Loaded before a process (`--import …/skewed-clock.ts?milliseconds=-30000`): its clock shows another time than
 * that of the machine, as on a server whose time service has failed.
 */
const skew = Number(new URL(import.meta.url).searchParams.get('milliseconds'));
const RealDate = globalThis.Date;

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + skew);
    else super(...(parts as [number]));
  }

  static override now() {
    return RealDate.now() + skew;
  }
} as DateConstructor;
