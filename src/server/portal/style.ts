import { createHash } from 'node:crypto';
import { baseStyle } from '../pages/base-style.ts';

/** The style of the pages of the portal. */
export const style = `${baseStyle}
header, main, footer { max-width: 48rem; }
footer { margin: 0 auto; padding: 0 1rem 2rem; }
footer nav { display: flex; gap: 1.25rem; }
footer a { display: inline-block; padding: .6rem 0; }
progress { display: block; width: 100%; height: .6rem; margin: .6rem 0 .35rem; accent-color: var(--mark); }
main { padding: .5rem 1rem 3rem; }
h1 { margin: 1.25rem 0 .25rem; }
h2 { margin-top: 2rem; }
h3, h2.small { margin: 0; font-size: 1rem; }
.card { margin: 0 0 .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
h1 + .card { margin-top: .75rem; }
.note { margin: 1rem 0; padding: .75rem 1rem; border-radius: .6rem; background: var(--note); }
.note.bad { border: 1px solid var(--bad); background: var(--card); }
ul { list-style: none; margin: 0; padding: 0; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
.actions { display: flex; flex-wrap: wrap; align-items: flex-start; gap: .5rem; margin-top: .75rem; }
.actions form { margin: 0; }
.actions + ul { margin-top: .75rem; }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.links a { display: inline-block; padding: .55rem 0; }
button, .button, summary { display: inline-block; min-height: 2.75rem; padding: .6rem 1rem; border: 1px solid var(--mark); border-radius: .5rem; background: transparent; color: var(--mark); font: inherit; line-height: 1.4; text-decoration: none; cursor: pointer; }
.main { background: var(--mark); color: var(--on-mark); }
.danger { border-color: var(--bad); color: var(--bad); }
summary { list-style: none; }
summary::-webkit-details-marker { display: none; }
details[open] { flex-basis: 100%; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
details[open] summary { margin-bottom: .5rem; }
legend { padding: 0; margin-bottom: .5rem; }
label.plan { display: flex; gap: .75rem; align-items: flex-start; margin-bottom: .5rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); cursor: pointer; }
label.plan:has(:checked) { border-color: var(--mark); box-shadow: inset 0 0 0 1px var(--mark); }
label.plan input { width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; accent-color: var(--mark); }
label.plan span { flex: 1; }
.own { margin: 0 0 .5rem; }
.own p { margin: .25rem 0; }
.own input { display: block; width: 100%; max-width: 14rem; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; }
@supports selector(:has(a)) { label.plan:not(:has(:checked)) + .own { display: none; } }
.own input[aria-invalid] { border-color: var(--bad); }
.problem { color: var(--bad); font-weight: 600; }
dl { display: grid; grid-template-columns: 1fr auto; gap: .35rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
dl.long { grid-template-columns: auto 1fr; }
.long dd { text-align: start; }
dd.sum, dt.sum { color: var(--ink); font-weight: 700; }
`;

/** The policy of a page of the portal, which these pages may frame: none, those of some origins, or all. */
export const pageHeaders = (ancestors: readonly string[] | '*') => headersOf(style, ancestors);

function headersOf(style: string, ancestors: readonly string[] | '*') {
  const digest = createHash('sha256').update(style).digest('base64');
  const framing = ancestors === '*' ? '*' : ancestors.join(' ') || "'none'";
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-${digest}'; img-src data: 'self'; form-action 'self'; frame-ancestors ${framing}; base-uri 'none'; require-trusted-types-for 'script'`,
    // A browser sends no origin with a form of a page without referrer.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(ancestors.length === 0 && { 'x-frame-options': 'DENY' }),
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
  };
}
