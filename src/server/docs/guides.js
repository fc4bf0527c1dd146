const narrow = matchMedia('(max-width: 56rem)');
const menu = document.querySelector('details.guides');

/** The list of guides is a column where there is room, and a closed menu on narrow screens. */
function fitMenu() {
  menu.open = !narrow.matches;
}
fitMenu();
narrow.addEventListener('change', fitMenu);
menu.addEventListener('click', ({ target }) => {
  if (narrow.matches && target.closest('a')) menu.open = false;
});

/** The list of guides is longer than many screens, and shows the current one. */
const list = menu.querySelector('nav');
const current = list.querySelector('[aria-current="page"]');
const below = current.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
if (!narrow.matches && below > -200) list.scrollTop += below + list.clientHeight / 2;

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.closest('.code').querySelector('code');
    button.textContent = (await copied(code)) ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

/** Copies the text of an element. Pages without TLS have no clipboard: there the text is selected. */
async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // A page without HTTPS has no clipboard, and copies the selection.
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}
