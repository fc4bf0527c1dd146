import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { draftWindowInput } from '#domain/invoicing/billing/draft-window.ts';
import { checkTax, taxFields } from '#domain/invoicing/billing/tax-input.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, nameInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { usualOriginsInput } from '#domain/kernel/inputs/origins-input.ts';
import type { AddressRule } from '#domain/kernel/security/receiving-address.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { taxEngines } from '#domain/model/catalog/tax.ts';
import {
  dunningFinalActions,
  OrganizationSettings,
  prorationCredits,
} from '#domain/model/platform/organization-settings.ts';
import { unpaidAccesses } from '#domain/model/platform/unpaid-access.ts';
import { changeCurrency, lockOrganization } from './change-currency.ts';
import { changeSeller } from './change-seller.ts';
import { prepaidOffersInput } from './prepaid-offer-input.ts';
import { sellerFields } from './seller-input.ts';
import { changeTaxService, taxServiceFields } from './tax-service.ts';

export const updateOrganizationInput = z.object({
  expectedVersion: expectedVersionInput,
  organization: z.object(
    changesTo({
      name: nameInput,
      allowMultipleSubscriptionsPerCustomer: z.boolean(),
      ...sellerFields,
      ...taxFields,
      taxEngine: z.enum(taxEngines),
      ...taxServiceFields,
      dunningRetryDays: listInput(z.int().min(1).max(60), 10),
      dunningFinalAction: z.enum(dunningFinalActions),
      unpaidAccess: z.enum(unpaidAccesses),
      paymentActionDays: z.int().min(1).max(30),
      prorationCredit: z.enum(prorationCredits),
      draftWindowHours: draftWindowInput,
      consolidatesInvoices: z.boolean(),
      customersMayPause: z.boolean(),
      customersMayBuyCredit: z.boolean(),
      prepaidOffers: prepaidOffersInput,
      currency: currencyInput,
      allowedOrigins: usualOriginsInput,
    }),
  ),
});

/**
 * Changes the settings of the key's organization in the key's mode. The currency is that of both modes, and changes until
 * something has an amount. Null removes the legal name, the address, the tax ids, the logo and the tax service. `rule`
 * decides which addresses a tax service may have. Errors: BAD_REQUEST, also where customers may buy prepaid credit and
 * there is no offer.
 */
export function updateOrganization(
  session: Session,
  { organization: changes, expectedVersion }: z.output<typeof updateOrganizationInput>,
  rule: AddressRule = { allowPrivate: false },
): Promise<OrganizationSettings> {
  return command(session, async (session) => {
    const { em, organizationId, livemode } = session;
    // It locks the organization, which comes before its settings.
    if (changes.currency != null) await lockOrganization(session);
    const settings = await em.findOneOrFail(
      OrganizationSettings,
      { organizationId, livemode },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    expectVersion(settings, expectedVersion);
    const { name, allowMultipleSubscriptionsPerCustomer } = changes;
    const { allowedOrigins, draftWindowHours, customersMayPause, consolidatesInvoices } = changes;
    const { customersMayBuyCredit, prepaidOffers } = changes;
    const { dunningRetryDays, dunningFinalAction, unpaidAccess } = changes;
    const { paymentActionDays, prorationCredit } = changes;
    const { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = changes;
    const { taxEngine } = changes;
    const tax = { taxEngine, taxType, taxRatePercentage, taxInclusive, taxCountry, taxState };
    const dunning = { dunningRetryDays, dunningFinalAction, unpaidAccess };
    const amounts = { paymentActionDays, prorationCredit };
    const named = {
      name,
      allowMultipleSubscriptionsPerCustomer,
      allowedOrigins,
      draftWindowHours,
      customersMayPause,
      customersMayBuyCredit,
      prepaidOffers,
      consolidatesInvoices,
    };
    if (changes.currency != null) await changeCurrency(session, settings, changes.currency);
    patch(settings, { ...named, ...tax, ...dunning, ...amounts });
    requireOffers(settings);
    await changeSeller(session, settings, changes);
    changeTaxService(session, settings, changes, rule);
    checkTax('organization', settings);
    return settings;
  });
}

/** Customers buy prepaid credit only within the limits of an offer. */
function requireOffers({ customersMayBuyCredit, prepaidOffers }: OrganizationSettings) {
  if (!customersMayBuyCredit || prepaidOffers.length > 0) return;
  const why = 'must have an offer while customersMayBuyCredit is true';
  throw invalid('REQUIRED', 'organization.prepaidOffers', why);
}
