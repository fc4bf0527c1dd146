import type { Migration } from '@mikro-orm/migrations';
import { HiddenMailLinks } from './3001-hidden-mail-links.ts';
import { ItemNames } from './3002-item-names.ts';
import { WaitingPriceMoves } from './3003-waiting-price-moves.ts';
import { DiscountTerms } from './3004-discount-terms.ts';
import { EndsOfSubscriptions } from './3005-ends-of-subscriptions.ts';
import { UnpaidAccess } from './3006-unpaid-access.ts';
import { GrantBasis } from './3007-grant-basis.ts';
import { UntoldReferences } from './3008-untold-references.ts';
import { CheckoutCodes } from './3009-checkout-codes.ts';
import { AddOns } from './3010-add-ons.ts';
import { FactsOfCheckouts } from './3011-facts-of-checkouts.ts';
import { Baseline } from './baseline.ts';

/** A step of the schema, by the name that a database keeps of it. */
interface Step {
  readonly name: string;
  readonly class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/** The migration that makes the whole schema of version 0.1.0. Databases of that version have its name, too. */
export const baseline = 'Migration20270114010000';

/**
 * All migrations in their order. Those after the baseline have numbers from 3001, without gaps, so that the next one is
 * always the highest; an earlier version takes these names for newer than its own, and refuses the database.
 */
export const migrations: readonly Step[] = [
  { name: baseline, class: Baseline },
  { name: 'Migration3001', class: HiddenMailLinks },
  { name: 'Migration3002', class: ItemNames },
  { name: 'Migration3003', class: WaitingPriceMoves },
  { name: 'Migration3004', class: DiscountTerms },
  { name: 'Migration3005', class: EndsOfSubscriptions },
  { name: 'Migration3006', class: UnpaidAccess },
  { name: 'Migration3007', class: GrantBasis },
  { name: 'Migration3008', class: UntoldReferences },
  { name: 'Migration3009', class: CheckoutCodes },
  { name: 'Migration3010', class: AddOns },
  { name: 'Migration3011', class: FactsOfCheckouts },
];
