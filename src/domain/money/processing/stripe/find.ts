/** Stripe forgets idempotency keys after 24 hours; a repetition after this long reads first. */
const keptMilliseconds = 23 * 3_600_000;
/** Clocks differ: the searched object may seem older than its request. */
const skewMilliseconds = 3_600_000;

/** Whether Stripe still remembers a key that was first used at an instant. */
export const isRemembered = (begunAt: Date, now: Date) =>
  now.getTime() - begunAt.getTime() < keptMilliseconds;

/** The earliest creation, in seconds, of an object that was requested at an instant. */
export const createdSince = (begunAt: Date) =>
  Math.floor((begunAt.getTime() - skewMilliseconds) / 1_000);

type Metadata = Readonly<Record<string, string>>;

/** Whether an object belongs to a request: the value that names the request agrees. */
export const belongsTo = (
  object: { readonly metadata: Metadata | null },
  metadata: Metadata,
  name: 'payment_id' | 'refund_id',
) => metadata[name] !== undefined && object.metadata?.[name] === metadata[name];

/** The id of an object that may be expanded. */
export const idOf = (object: string | { readonly id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

/** An expanded object; null where only its id is there. */
export const expanded = <T extends object>(object: string | T | null | undefined): T | null =>
  typeof object === 'object' ? object : null;
