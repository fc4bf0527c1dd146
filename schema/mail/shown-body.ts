import { hasScope } from '#domain/kernel/access-scopes.ts';
import { escapeMarkup } from '#domain/mail/commands/mails/fill-in.ts';
import type { LinkedDocument } from '#domain/mail/commands/mails/hidden-links.ts';
import { bodiesOf } from '#domain/mail/commands/mails/mail-bodies.ts';
import { mailSwitchPathOf, revealIn } from '#domain/mail/commands/mails/mail-links.ts';
import type { Mail } from '#domain/model/mail/mail.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { Context } from '../engine/builder.ts';
import { load } from '../engine/load.ts';

/** The sentence about links in the descriptions of bodies. */
export const linksOfBody =
  'Its links open nothing; a caller with the scope `customer_tokens_write` gets links that do no more than it may.';

/**
 * A body of a mail as a caller may see it; null until it is written. Links open nothing, unless the caller may create
 * tokens of the customer: they then are those which it gets elsewhere, to the portal, to documents and, where it may
 * change customers, to the switch of the kind.
 */
export async function shownBody(
  context: Context,
  { id, kind, customerId }: Pick<Mail, 'id' | 'kind' | 'customerId'>,
  part: 'text' | 'html',
): Promise<string | null> {
  const body = (await bodiesOf(context, id))?.[part];
  if (body == null) return null;
  const customer = hasScope(context.scopes, 'customer_tokens_write')
    ? await load(context, Customer, customerId)
    : null;
  const portal = customer && context.portalLink(customer, {});
  if (!customer || !portal) return body;
  const maySwitch = hasScope(context.scopes, 'customers_write');
  const links = {
    portal,
    mailSwitch: maySwitch ? mailSwitchPathOf(customer, kind) : undefined,
    document: (document: LinkedDocument) => context.documentLink(document, document.kind),
  };
  return revealIn(context, customerId, body, links, part === 'html' ? escapeMarkup : undefined);
}
