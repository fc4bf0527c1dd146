import { domainToASCII } from 'node:url';
import { z } from 'zod';

const local = z.email();
/** The name of a host in ASCII, under a top-level domain that may be one of other letters. */
const host = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i;

/** An address in the form in which mail servers know it: its domain in ASCII. The address itself where that is impossible. */
export function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return at > 0 && domain ? `${address.slice(0, at)}@${domain}` : address;
}

/** Whether a text is an e-mail address. Its domain may have letters outside of ASCII, as its owner writes it. */
export function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@');
  if (/\s/.test(address) || !local.safeParse(`${address.slice(0, at)}@example.com`).success)
    return false;
  return host.test(domainToASCII(address.slice(at + 1)));
}

/** An e-mail address. It is stored as it is written, and mails are sent to its ASCII form. */
export const emailInput = z
  .string()
  .max(255)
  .superRefine((input, context) => {
    if (isEmail(input)) return;
    const message = 'must be an e-mail address, with letters outside of ASCII in its domain only';
    context.addIssue({ code: 'invalid_format', format: 'email', input, message });
  });
