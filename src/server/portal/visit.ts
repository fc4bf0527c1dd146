import { hasScope } from '#domain/kernel/access-scopes.ts';
import type { Context } from '#schema/engine/builder.ts';
import type { Execute } from './executor.ts';
import * as operations from './operations.ts';
import { formToken, type NamedSession } from './portal-session.ts';
import type { Alert, Billing, Forms } from './shapes.ts';
import type { Wording } from './texts/wording.ts';

/** A page, or the way to one. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string | ReadableStream | null;
}

/** A request with the session of its customer. */
export interface Visit extends NamedSession {
  readonly request: Request;
  readonly url: URL;
  readonly origin: string;
  /** The path of the portal as the browser sees it, for all sessions. */
  readonly root: string;
  readonly wording: Wording;
  /** The form that it submits; undefined without one, and for one that did not arrive whole. */
  readonly form: URLSearchParams | undefined;
  readonly context: Context;
  readonly execute: Execute;
  /** The stream of the changes of the customer. */
  readonly changes: () => Promise<Answer>;
}

/** The parts that every page of a visit contains. */
export const formsOf = ({ root, base, token, wording, isFramed, context }: Visit): Forms => ({
  root,
  base,
  token: formToken(token),
  wording,
  isFramed,
  may: (scope) => hasScope(context.scopes, scope),
});

/** Leads to the first page, with the message of an action. */
export const toHome = ({ base }: Visit, done: string): Answer => ({
  status: 303,
  headers: { location: `${base}?done=${done}` },
});

/** Invoices or documents on one page. */
const mostOnPage = 10;

/** The billing details, with the pages of invoices and documents that the address names; the newest ones without it. */
export async function billingOf({ execute, context, url }: Visit): Promise<Billing> {
  const id = context.customerId;
  const [after, before, documentsAfter, documentsBefore] = [
    ...['after', 'before', 'documents-after', 'documents-before'],
  ].map((name) => url.searchParams.get(name));
  const part = before ? { last: mostOnPage, before } : { first: mostOnPage, after };
  const documentsPart = documentsBefore
    ? { documentsLast: mostOnPage, documentsBefore }
    : { documentsFirst: mostOnPage, documentsAfter };
  type Found = { customer: { externalId: string } };
  const { customer } = await execute<Found>(operations.externalIdOf, { id });
  const { externalId } = customer;
  type Read = {
    billing: Omit<
      Billing,
      'invoices' | 'documents' | 'due' | 'alerts' | 'prepaidCredits' | 'orders'
    >;
    alerts: { nodes: readonly Omit<Alert, 'currency'>[] };
    prepaidCredits: { nodes: Billing['prepaidCredits'] };
    orders: { nodes: Billing['orders'] };
    invoices: Billing['invoices'];
    documents: Billing['documents'];
    due: { nodes: Billing['due'] };
  };
  const variables = { externalId, id, ...part, ...documentsPart };
  const read = await execute<Read>(operations.readBilling, variables);
  const { billing, invoices, documents, due } = read;
  const currency = billing.customer.currency ?? '';
  const alerts = read.alerts.nodes.map((alert) => ({ ...alert, currency }));
  const prepaidCredits = read.prepaidCredits.nodes;
  const orders = read.orders.nodes.filter(({ status }) => status === 'pending');
  return { ...billing, alerts, prepaidCredits, orders, invoices, documents, due: due.nodes };
}
