import { useEffect, useRef } from 'react';

/**
 * Returns the focus to the button that has opened a dialog when the dialog is gone. After an action of a menu it
 * returns to the button of the menu. A dialog that stays in the page, and is only closed, does that by itself.
 */
export function useFocusReturn() {
  const opener = useRef(document.activeElement);
  useEffect(() => {
    const from = opener.current;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) buttonOf(from)?.focus();
      });
    };
  }, []);
}

function buttonOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]');
  const button = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : element;
  return button instanceof HTMLElement && button.isConnected ? button : null;
}
