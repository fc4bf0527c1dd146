import type { Session } from '#domain/kernel/session.ts';
import type { TaxRule } from '#domain/model/catalog/tax.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';

/** An amount that is to be taxed. */
export interface Taxable {
  /** Minor units, before tax unless prices include it. */
  readonly amount: number;
  /** The price, whose product or usage meter has the tax code. */
  readonly priceId?: string | null | undefined;
  /** Whether it is spread over the other amounts, as discounts are. */
  readonly isSpread?: boolean;
  /** The amounts in proportion to which it is taxed, such as the items of a plan. */
  readonly taxedAs?: readonly Taxable[] | undefined;
}

/** The facts from which an engine computes the tax. */
export interface TaxRequest {
  readonly customer: Pick<Customer, 'billingAddress' | 'taxIds'> & {
    readonly externalId?: string | undefined;
  };
  /** The currency of the amounts; absent where the caller does not know it. */
  readonly currency?: string | undefined;
  readonly settings: OrganizationSettings;
  /** Empty where only the rates of usual products are wanted. */
  readonly lines: readonly Taxable[];
}

/**
 * The port of tax engines: the tax rule for some lines of a customer, or null for no tax. It is called while the customer
 * of an invoice is locked. So an engine waits for no other service within a transaction: it throws `AnswerNeeded`.
 */
export type TaxEngine = (session: Session, request: TaxRequest) => Promise<TaxRule | null>;
