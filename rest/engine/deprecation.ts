import type { Preferences } from './preferences.ts';
import type { Route } from './route.ts';

/** The notice that callers change to another form of a request. Days are those of UTC: `2027-01-31`. */
export interface Deprecation {
  /** The day since which the form is deprecated. */
  readonly since: string;
  /** The first day on which the service may refuse the form. */
  readonly sunset: string;
  /** The address of what takes its place, such as `/api/v1/pricing-models` or a guide below `/docs`. */
  readonly successor: string;
}

const millisecondsPerSecond = 1_000;

/** The notice of the form of a request: of its endpoint, or of the older rendering where it asks for no other. */
export function noticeOf(
  { deprecated, legacy }: Pick<Route, 'deprecated' | 'legacy'>,
  preferences: Preferences,
): Deprecation | undefined {
  return deprecated ?? (preferences.has('rendering=current') ? undefined : legacy?.deprecated);
}

/** Adds a notice to the headers of an answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
export function announce(
  { since, sunset, successor }: Deprecation,
  headers: Record<string, string>,
): void {
  const link = `<${successor}>; rel="successor-version"`;
  headers.deprecation = `@${Date.parse(since) / millisecondsPerSecond}`;
  headers.sunset = new Date(sunset).toUTCString();
  // An answer may have a link of its own.
  headers.link = headers.link ? `${headers.link}, ${link}` : link;
}
