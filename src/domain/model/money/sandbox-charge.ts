import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger } from '#domain/kernel/columns.ts';

const statuses = ['succeeded', 'failed', 'canceled', 'processing', 'requires_action'] as const;

const SandboxChargeSchema = defineEntity({
  name: 'SandboxCharge',
  indexes: [
    { name: 'sandbox_charge_method', properties: ['paymentMethodId'] },
    { name: 'sandbox_charge_organization', properties: ['organizationId', 'chargedAt'] },
  ],
  checks: checksOf({
    sandbox_charge_range: 'amount > 0 and refunded >= 0 and refunded <= amount',
  }),
  properties: {
    idempotencyKey: p.string().primary(),
    paymentMethodId: p.string(),
    amount: safeInteger(),
    currency: p.string().length(3),
    status: p.enum(statuses),
    failureCode: p.string().nullable(),
    failureMessage: p.text().nullable(),
    chargedAt: instant(),
    /** The token that decides its outcome. */
    token: p.string().default(''),
    /** The outcome of a charge that is being processed, and its instant. */
    settlesAs: p.enum(['succeeded', 'failed'] as const).nullable(),
    settlesAt: instant().nullable(),
    organizationId: p.string().default(''),
    /** The id of the payment in its metadata. */
    paymentId: p.string().nullable(),
    /** The refunded amount, in minor units. */
    refunded: safeInteger().default(0),
    /** The keys of the executed refunds. */
    refundKeys: p.array().default([]),
  },
});

/** The records of the sandbox processor, in place of a bank's: only the sandbox writes them. */
export class SandboxCharge extends SandboxChargeSchema.class {}
SandboxChargeSchema.setClass(SandboxCharge);
