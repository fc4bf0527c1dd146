import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '#root';
import { type Html, html } from '../pages/html.ts';
import type { Forms } from './shapes.ts';

/** The script of the pages, as it is sent. */
export const liveScript = readFileSync(path.join(root, 'src/server/portal/live.js'), 'utf8');

/** A part of a page that is replaced when something in it has changed. */
export const live = (id: string, title: string, body: Html): Html =>
  html`<section data-live aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

/** Loads the script, which follows the changes of the customer. The page works without it. */
export const scriptFor = ({ root, base }: Forms): Html =>
  html`<script src="${root}/live.js" data-changes="${base}/changes" defer></script>`;
