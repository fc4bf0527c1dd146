import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
import { ProcessorAccount } from './processor-account.ts';

/** The ways in which an event of a processor arrives. */
const processorEventSources = ['webhook', 'reconciliation'] as const;

const processorEventStatuses = ['pending', 'done', 'ignored', 'failed'] as const;

const ProcessorEventSchema = defineEntity({
  name: 'ProcessorEvent',
  uniques: [{ name: 'processor_event_unique', properties: ['account', 'eventId'] }],
  indexes: [
    {
      name: 'processor_event_due',
      properties: ['dueAt', 'id'],
      where: { status: 'pending' },
    },
    { name: 'processor_event_received', properties: ['receivedAt'] },
  ],
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('processor_event')),
    account: () =>
      p.manyToOne(ProcessorAccount).ref().name('processor_account_id').deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** The processor's id of the event: each is processed once. */
    eventId: p.string(),
    type: p.string(),
    /** The object that is read, and its reference; nothing else of the event is used. */
    object: p.string(),
    reference: p.string(),
    paymentId: p.string().nullable(),
    source: p.enum(processorEventSources),
    occurredAt: instant(),
    receivedAt: instant(),
    status: p.enum(processorEventStatuses).default('pending'),
    attempts: p.integer().default(0),
    /** When it is processed next; null when it is done. */
    dueAt: instant().nullable(),
    error: p.text().nullable(),
  },
});

/** An event that a processor has sent or listed, until its object has been read. */
export class ProcessorEvent extends ProcessorEventSchema.class {}
ProcessorEventSchema.setClass(ProcessorEvent);
