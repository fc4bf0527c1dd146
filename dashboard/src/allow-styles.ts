import { setNonce } from 'get-nonce';
import { styleNonce } from './base.ts';

/** Dialogs write a style that keeps the page behind them from scrolling; the policy allows it by its nonce. */
export function allowStyles() {
  if (styleNonce) setNonce(styleNonce);
}
