import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

/** The place of an event in the order of creation, in milliseconds; ties are ordered by id. */
export interface EventPlace {
  readonly id: string;
  readonly createdAt: number;
}

/** A digest of a set of events that does not depend on their order. */
export interface StoredDigest {
  /** Differs after each change of its total: a total that is changed without its digest loses it. */
  readonly version: number;
  readonly count: number;
  /** The sum of their amounts, an exact decimal. */
  readonly sum: string;
  /** The sum modulo 2^256 of the SHA-256 digests of a text «id amount» for each event, in hex. */
  readonly sumOfSha256: string;
  readonly first: EventPlace | null;
  readonly last: EventPlace | null;
  /**
   * The first and the last recording in milliseconds, by the clock of the database; also of events that do not count
   * any more.
   */
  readonly recordedFrom: number | null;
  readonly recordedUntil: number | null;
}

const UsageTotalSchema = defineEntity({
  name: 'UsageTotal',
  properties: {
    balance: () => p.manyToOne(UsageMeterBalance).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** The empty text where a subscription has no periods, `ended` for usage after its end. */
    billingPeriodId: p.string().primary(),
    priceId: p.string().primary(),
    /** The usage of the period, aggregated from its events. */
    usage: p.decimal('string').columnType('numeric'),
    /** The number of counted events. */
    events: safeInteger(),
    /** The latest `usageDate`, and its event, for meters that keep the last value. */
    lastUsageDate: instant().nullable(),
    lastEventId: p.string().nullable(),
    /** The digest of the counted events; null in totals that an earlier version has created or changed. */
    digest: p.json<StoredDigest>().nullable(),
    /** For a price with a matrix: the usage of each of its cells, exact decimals; else null. */
    cells: p.json<Readonly<Record<string, string>>>().nullable(),
  },
});

/** The usage of one billing period at one price, aggregated as the meter defines. */
export class UsageTotal extends UsageTotalSchema.class {}
UsageTotalSchema.setClass(UsageTotal);
