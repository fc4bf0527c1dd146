import { baseStyle, formStyle } from '../pages/base-style.ts';

/** The style of the pages of checkout sessions. */
export const style = `${baseStyle}${formStyle}
header { max-width: 62rem; }
header:has(+ .narrow) { max-width: 34rem; }
main { display: grid; gap: 1.5rem; max-width: 62rem; padding: 1.5rem 1rem 3rem; }
main > * { min-width: 0; }
.narrow { max-width: 34rem; }
@media (min-width: 52rem) {
  main.wide { grid-template-columns: 5fr 6fr; align-items: start; }
}
.due { margin: 0 0 .25rem; font-size: 2rem; font-weight: 700; line-height: 1.2; }
.due span { font-size: 1rem; font-weight: 400; }
.count { white-space: nowrap; }
.button { margin-top: 1.25rem; }
.note { margin: 0; color: var(--soft); }
table { width: 100%; margin-top: 1rem; border-collapse: collapse; }
th, td { padding: .5rem 0; border-top: 1px solid var(--line); font-weight: 400; text-align: start; vertical-align: top; }
td { padding-inline-start: 1rem; font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
tfoot tr:last-child > * { font-weight: 700; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); column-gap: .75rem; }
`;
