/** The address of the service, with the prefix below which a proxy serves it. */
export const serviceUrl = new URL('.', document.baseURI).href;

/** The path of the service without its last slash: the pages are below it. */
export const basename = new URL(serviceUrl).pathname.replace(/\/$/, '') || '/';

/** The value that the service allows styles by; empty where it sends no policy. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
