/** The colours, the text and the controls of all pages for customers. */
export const baseStyle = `
:root { color-scheme: light dark; --ink: #17211d; --soft: #55635d; --line: #d5ddd9; --field: #7d8c85; --back: #f6f8f7; --card: #fff; --mark: #1b6149; --on-mark: #fff; --bad: #a3221b; --bad-back: #fdeceb; --note: #e7f2ed; --test: #7a4b00; --test-back: #fff3d9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eeeb; --soft: #a5b5ae; --line: #33413b; --field: #7a8b83; --back: #111714; --card: #19211d; --mark: #79d6b1; --on-mark: #0c1a14; --bad: #ff9a91; --bad-back: #3a1a18; --note: #1b2f27; --test: #ffd58a; --test-back: #33270f; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0 0 .6rem; font-size: 1.1rem; }
p { margin: .35rem 0; }
a { color: var(--mark); }
.soft { color: var(--soft); }
.bad { color: var(--bad); }
.test { padding: .15rem .6rem; border-radius: 1rem; background: var(--test-back); color: var(--test); font-size: .85rem; font-weight: 600; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 0 auto; padding: 1.25rem 1rem 0; }
header img { display: block; max-width: 10rem; max-height: 3rem; padding: .25rem; background: #fff; border-radius: .35rem; }
header b { flex: 1; min-width: 8rem; font-size: 1.1rem; }
main { margin: 0 auto; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
`;

/** The controls of a form that is a column: the checkout and the sandbox. */
export const formStyle = `
fieldset { margin-bottom: 1.25rem; }
legend { padding: 0; font-size: 1.1rem; font-weight: 600; }
label { display: block; margin-top: .75rem; }
input, select { width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; }
select { text-overflow: ellipsis; }
input[aria-invalid="true"] { border-color: var(--bad); }
button, .button { display: block; width: 100%; min-height: 3rem; padding: .7rem .75rem; border: 1px solid var(--mark); border-radius: .5rem; background: var(--mark); color: var(--on-mark); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button.other { margin-top: .75rem; border-color: var(--bad); background: transparent; color: var(--bad); }
section { padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
.back { margin: 1rem 0 0; text-align: center; }
.problem { margin: 0 0 1rem; padding: .6rem .75rem; border-radius: .5rem; background: var(--bad-back); color: var(--bad); }
.field-problem { display: block; margin-top: .25rem; color: var(--bad); }
.sandbox { padding: .75rem; border-radius: .5rem; background: var(--test-back); }
.sandbox legend { float: left; width: 100%; color: var(--test); }
.sandbox p { clear: both; margin: 0; }
`;
