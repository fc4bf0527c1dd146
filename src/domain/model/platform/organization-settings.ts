import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { baseColumns, checksOf, instant } from '#domain/kernel/columns.ts';
import type { EmitsEvents, ShownAs } from '#domain/kernel/emits-events.ts';
import { taxEngines, taxTypes } from '#domain/model/catalog/tax.ts';
import { OrganizationLogo } from './organization-logo.ts';
import type { BankAccount, StoredAddress, TaxId } from './parties.ts';
import type { PrepaidOffer } from './prepaid-offer.ts';
import { unpaidAccesses } from './unpaid-access.ts';

export const dunningFinalActions = ['cancel', 'unpaid'] as const;
export const prorationCredits = ['none', 'balance'] as const;

const { id, ...columns } = baseColumns('org_settings');

const OrganizationSettingsSchema = defineEntity({
  name: 'OrganizationSettings',
  uniques: [
    { name: 'organization_settings_mode_unique', properties: ['organizationId', 'livemode'] },
  ],
  checks: checksOf({
    organization_settings_draft_window: 'draft_window_hours >= 0 and draft_window_hours <= 720',
    organization_settings_tax_service: `tax_engine <> 'service' or (tax_service_url is not null and tax_service_secret is not null)`,
    organization_settings_tax_ids: `jsonb_typeof(tax_ids) = 'array' and jsonb_array_length(tax_ids) <= 5`,
    organization_settings_prepaid_offers: `jsonb_typeof(prepaid_offers) = 'array' and (not customers_may_buy_credit or jsonb_array_length(prepaid_offers) > 0)`,
  }),
  properties: {
    id: id.hidden(),
    ...columns,
    /** The display name; it is on invoices where there is no legal name. */
    name: p.string(),
    /** The name of the seller on documents; the display name where it is null. */
    legalName: p.string().nullable(),
    /** The address of the seller on documents. */
    address: p.json<StoredAddress>().nullable(),
    /** The seller's numbers at tax authorities, which documents show. */
    taxIds: p.json<readonly TaxId[]>().defaultRaw(`'[]'`),
    /** The picture at the head of documents. */
    logo: () => p.manyToOne(OrganizationLogo).ref().nullable().hidden(),
    allowMultipleSubscriptionsPerCustomer: p.boolean().default(false),
    /** Signs the links to invoices and receipts; encrypted. */
    documentSecret: p.text().hidden(),
    /** When that secret was last replaced: earlier links do not work any longer. */
    documentLinksValidFrom: instant().nullable(),
    /** The origins of customer tokens that are created without origins; all where it is empty. */
    allowedOrigins: p.json<readonly string[]>().defaultRaw(`'[]'`),
    /** Days from one failed attempt to the next; after them there are no retries. */
    dunningRetryDays: p.json<readonly number[]>().defaultRaw(`'[3, 5, 5]'`),
    /** The final action for a subscription whose last retry has failed. */
    dunningFinalAction: p.enum(dunningFinalActions).default('unpaid'),
    /** The access of a subscription that becomes unpaid, until it is paid. */
    unpaidAccess: p.enum(unpaidAccesses).default('no_new_credits'),
    /** The days after which a payment that waits for the customer's confirmation is canceled. */
    paymentActionDays: p.integer().default(7),
    /** Where an overpaid amount goes when a plan gets cheaper within a period. */
    prorationCredit: p.enum(prorationCredits).default('none'),
    /** Hours after the end of a period in which late usage still counts for its invoice. */
    draftWindowHours: p.integer().default(0),
    /** Whether invoices of a customer for one instant are one document, where the customer does not choose. */
    consolidatesInvoices: p.boolean().default(false),
    /** The account to which customers transfer money, as documents state it. */
    bankAccount: p.json<BankAccount>().nullable(),
    /** How taxes are computed. */
    taxEngine: p.enum(taxEngines).default('rule'),
    /** The address that the engine `service` asks. */
    taxServiceUrl: p.text().nullable(),
    /** Signs the requests to it; encrypted. */
    taxServiceSecret: p.text().nullable().hidden(),
    /** Whether customers may pause and resume their subscriptions, as in the portal. */
    customersMayPause: p.boolean().default(false),
    /** Whether customers may buy prepaid credit themselves, as in the portal. */
    customersMayBuyCredit: p.boolean().default(false),
    /** The prepaid credit that they may buy: one offer for each currency. */
    prepaidOffers: p.json<readonly PrepaidOffer[]>().defaultRaw(`'[]'`),
    /** The tax rule of customers without their own. */
    taxType: p.enum(taxTypes).nullable(),
    taxRatePercentage: p.string().nullable(),
    taxInclusive: p.boolean().default(false),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
  },
});

/** The settings of an organization in one mode. A key of test mode never changes those of live mode. */
export class OrganizationSettings extends OrganizationSettingsSchema.class implements EmitsEvents {
  /** The currency of the organization, which changes in this transaction; not a column. */
  declare private newCurrency?: string;

  /** Has the event of this transaction show a new currency of the organization. */
  emitCurrency(currency: string, now: Date) {
    this.newCurrency = currency;
    // An instant of its own makes a change of the row, and never goes back.
    this.updatedAt = new Date(Math.max(now.getTime(), this.updatedAt.getTime() + 1));
  }

  get logoId(): Opt<string> | null {
    return this.logo?.id ?? null;
  }

  verbFor() {
    return undefined;
  }

  further() {
    return this.newCurrency ? { currency: this.newCurrency } : {};
  }

  /** The feed shows the settings as the organization, as the graph does. */
  shownAs(): ShownAs {
    return { objectType: 'Organization', objectId: this.organizationId };
  }
}
OrganizationSettingsSchema.setClass(OrganizationSettings);
