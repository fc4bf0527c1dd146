import { html } from './html.ts';

/** The seller at the head of a page. */
export interface Brand {
  readonly name: string;
  readonly logo?: { readonly dataUrl: string } | null;
}

/** The head of a page: the seller, and the mode where it is not live. */
export const brandHeader = (
  { name, logo }: Brand,
  livemode: boolean,
  testMode = 'Test mode: no money moves',
) =>
  html`<header>${logo && html`<img src="${logo.dataUrl}" alt="">`}<b dir="auto">${name}</b>${
    !livemode && html`<span class="test">${testMode}</span>`
  }</header>`;
