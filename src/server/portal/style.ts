import { createHash } from 'node:crypto';

export const style = `
:root { color-scheme: light dark; --ink: #17211d; --soft: #55635d; --line: #d5ddd9; --back: #f6f8f7; --card: #fff; --mark: #1b6149; --on-mark: #fff; --bad: #a3221b; --note: #e7f2ed; --test: #7a4b00; --test-back: #fff3d9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eeeb; --soft: #a5b5ae; --line: #33413b; --back: #111714; --card: #19211d; --mark: #79d6b1; --on-mark: #0c1a14; --bad: #ff9a91; --note: #1b2f27; --test: #ffd58a; --test-back: #33270f; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 48rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; padding-top: 1.25rem; }
header img { display: block; max-width: 10rem; max-height: 3rem; padding: .25rem; background: #fff; border-radius: .35rem; }
header b { flex: 1; min-width: 8rem; font-size: 1.1rem; }
.test { padding: .15rem .6rem; border-radius: 1rem; background: var(--test-back); color: var(--test); font-size: .85rem; font-weight: 600; }
main { padding-top: .5rem; padding-bottom: 3rem; }
footer { padding-bottom: 2rem; color: var(--soft); font-size: .85rem; }
h1 { margin: 1.25rem 0 .25rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .6rem; font-size: 1.1rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .35rem 0; }
.soft { color: var(--soft); }
.bad { color: var(--bad); }
.card { margin: 0 0 .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
.note { margin: 1rem 0; padding: .75rem 1rem; border-radius: .6rem; background: var(--note); }
.note.bad { border: 1px solid var(--bad); background: var(--card); }
ul { list-style: none; margin: 0; padding: 0; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
.actions { display: flex; flex-wrap: wrap; align-items: flex-start; gap: .5rem; margin-top: .75rem; }
.actions form { margin: 0; }
a { color: var(--mark); }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.links a { display: inline-block; padding: .55rem 0; }
button, .button, summary { display: inline-block; min-height: 2.75rem; padding: .6rem 1rem; border: 1px solid var(--mark); border-radius: .5rem; background: transparent; color: var(--mark); font: inherit; line-height: 1.4; text-decoration: none; cursor: pointer; }
.main { background: var(--mark); color: var(--on-mark); }
.danger { border-color: var(--bad); color: var(--bad); }
summary { list-style: none; }
summary::-webkit-details-marker { display: none; }
details[open] { flex-basis: 100%; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
details[open] summary { margin-bottom: .5rem; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .5rem; }
label.plan { display: flex; gap: .75rem; align-items: flex-start; margin-bottom: .5rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); cursor: pointer; }
label.plan:has(:checked) { border-color: var(--mark); box-shadow: inset 0 0 0 1px var(--mark); }
label.plan input { width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; accent-color: var(--mark); }
label.plan span { flex: 1; }
dl { display: grid; grid-template-columns: 1fr auto; gap: .35rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
dd.sum, dt.sum { color: var(--ink); font-weight: 700; }
`;

const digest = createHash('sha256').update(style).digest('base64');

/** The headers of each page. No page loads anything, runs a script or sends a form to another place. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; img-src data: 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // A browser sends no origin with a form of a page without referrer.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};
