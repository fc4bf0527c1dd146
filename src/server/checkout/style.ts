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
.default { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); }
.code { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .75rem; align-items: center; margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.code label, .code .field-problem { grid-column: 1 / -1; margin: 0; }
.code input { margin: 0; text-transform: uppercase; }
.less { width: auto; min-height: 2.75rem; padding: .5rem .9rem; background: transparent; color: var(--mark); }
form .less { margin-top: .75rem; }
.notice { margin: 0 0 1rem; padding: .6rem .75rem; border-radius: .5rem; background: var(--note); }
.hint { display: block; margin-top: .25rem; }
.known { margin-top: .75rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); column-gap: .75rem; }
`;
