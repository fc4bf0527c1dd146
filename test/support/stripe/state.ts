import { randomUUID } from 'node:crypto';
import type { Parameters } from './form.ts';
import { missing } from './refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: the objects are those of the published interface
export type Thing = any;

const kinds = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  ch: 'charge',
  re: 'refund',
  du: 'dispute',
  cs: 'checkout.session',
  seti: 'setup_intent',
  evt: 'event',
  we: 'webhook_endpoint',
  txn: 'balance_transaction',
} as const;

export type Prefix = keyof typeof kinds;

/** The objects of one account in one mode, in the order of their creation. */
export class StripeState {
  readonly objects = new Map<string, Thing>();
  /** The present of the fake, in milliseconds. */
  now: () => number;
  readonly livemode: boolean;
  readonly accountId: string;

  constructor(now: () => number, livemode: boolean, accountId: string) {
    this.now = now;
    this.livemode = livemode;
    this.accountId = accountId;
  }

  seconds() {
    return Math.floor(this.now() / 1_000);
  }

  add(prefix: Prefix, fields: Thing): Thing {
    const mode = prefix === 'cs' ? (this.livemode ? '_live' : '_test') : '';
    const id = `${prefix}${mode}_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    const made = {
      id,
      object: kinds[prefix],
      created: this.seconds(),
      livemode: this.livemode,
      ...fields,
    };
    this.objects.set(id, made);
    return made;
  }

  /** An object by its id. Errors: a refusal with 404. */
  get(prefix: Prefix, id: unknown, param = 'id'): Thing {
    const found = this.objects.get(String(id));
    if (found?.object !== kinds[prefix]) throw missing(kinds[prefix], String(id), param);
    return found;
  }

  all(prefix: Prefix): Thing[] {
    return [...this.objects.values()].filter(({ object }) => object === kinds[prefix]);
  }

  /** A page of a list, the newest first, as the parameters ask for it. */
  page(prefix: Prefix, params: Parameters, filter: (thing: Thing) => boolean = () => true) {
    const { created, starting_after, ending_before } = params;
    const limit = Number(params.limit ?? 10);
    const range = (created ?? {}) as Record<string, string>;
    const matching = this.all(prefix)
      .filter(filter)
      .filter((thing) => thing.created >= Number(range.gte ?? 0))
      .filter((thing) => thing.created < Number(range.lt ?? Number.POSITIVE_INFINITY))
      .toReversed();
    const placeOf = (id: unknown) => {
      const place = matching.findIndex((thing) => thing.id === id);
      if (place < 0) throw missing(kinds[prefix], String(id), 'starting_after');
      return place;
    };
    if (ending_before !== undefined) {
      const newer = matching.slice(0, placeOf(ending_before));
      return list(newer.slice(-limit), newer.length > limit);
    }
    const rest =
      starting_after === undefined ? matching : matching.slice(placeOf(starting_after) + 1);
    return list(rest.slice(0, limit), rest.length > limit);
  }
}

const list = (data: Thing[], more: boolean) => ({
  object: 'list',
  data,
  has_more: more,
  url: '/v1',
});
