import { defineEntity, p } from '@mikro-orm/core';
import { instant, safeInteger } from '#domain/kernel/columns.ts';
import { disputeStatuses } from './dispute.ts';

const SandboxRefundSchema = defineEntity({
  name: 'SandboxRefund',
  indexes: [{ name: 'sandbox_refund_charge', properties: ['chargeKey'] }],
  properties: {
    idempotencyKey: p.string().primary(),
    organizationId: p.string(),
    chargeKey: p.string(),
    amount: safeInteger(),
    currency: p.string().length(3),
    status: p.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const),
    /** Its outcome, and the instant of that. */
    settlesAs: p.enum(['succeeded', 'failed'] as const).nullable(),
    settlesAt: instant().nullable(),
  },
});

/** A refund in the sandbox. */
export class SandboxRefund extends SandboxRefundSchema.class {}
SandboxRefundSchema.setClass(SandboxRefund);

const SandboxDisputeSchema = defineEntity({
  name: 'SandboxDispute',
  properties: {
    reference: p.string().primary(),
    organizationId: p.string(),
    chargeKey: p.string(),
    amount: safeInteger(),
    currency: p.string().length(3),
    status: p.enum(disputeStatuses),
    openedAt: instant(),
    decidesAs: p.enum(disputeStatuses),
    decidesAt: instant(),
  },
});

/** A dispute in the sandbox. */
export class SandboxDispute extends SandboxDisputeSchema.class {}
SandboxDisputeSchema.setClass(SandboxDispute);

const SandboxPageSchema = defineEntity({
  name: 'SandboxPage',
  uniques: [{ name: 'sandbox_page_key_unique', properties: ['idempotencyKey'] }],
  properties: {
    /** Unguessable: a caller that knows it may use the page. */
    reference: p.string().primary(),
    idempotencyKey: p.string(),
    kind: p.enum(['setup', 'payment'] as const),
    status: p.enum(['open', 'completed', 'expired'] as const).default('open'),
    organizationId: p.string(),
    pricingModelId: p.string(),
    customerReference: p.string(),
    returnUrl: p.text(),
    cancelUrl: p.text(),
    description: p.text().nullable(),
    amount: safeInteger().nullable(),
    currency: p.string().length(3),
    /** The key of the charge that a payment page makes. */
    chargeKey: p.string().nullable(),
    paymentId: p.string().nullable(),
    /** The token and the type that the customer has chosen. */
    token: p.string().nullable(),
    type: p.string().nullable(),
    openedAt: instant(),
    expiresAt: instant(),
  },
});

/** A page of the sandbox where a customer chooses a test token. */
export class SandboxPage extends SandboxPageSchema.class {}
SandboxPageSchema.setClass(SandboxPage);

const SandboxNoticeSchema = defineEntity({
  name: 'SandboxNotice',
  indexes: [{ name: 'sandbox_notice_due', properties: ['dueAt'], where: { deliveredAt: null } }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: p.string(),
    object: p.enum(['charge', 'refund', 'dispute', 'setup', 'payment_page'] as const),
    reference: p.string(),
    type: p.string(),
    /** The key of the charge that it concerns, by which its clock is found. */
    chargeKey: p.string().nullable(),
    dueAt: instant(),
    deliveredAt: instant().nullable(),
  },
});

/** A notice that the sandbox gives at an instant. */
export class SandboxNotice extends SandboxNoticeSchema.class {}
SandboxNoticeSchema.setClass(SandboxNotice);
