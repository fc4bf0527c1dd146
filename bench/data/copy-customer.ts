import type pg from 'pg';
import { sealToken } from '#domain/model/platform/payment-method.ts';

/** The tables of a customer whose run is due, in the order of their foreign keys. */
const tables = [
  'customer',
  'book_opening',
  'payment_method',
  'subscription',
  'subscription_item',
  'billing_period',
  'billing_period_item',
  'billing_run',
  'usage_meter_balance',
  'usage_event',
  'usage_event_key',
  'usage_hour',
  'usage_total',
  'ledger_transaction',
  'owed_usage',
] as const;

/** How many copies there are; invoice numbers begin with their count. */
let customers = 0;

interface Copies {
  /** The payment method at the processor. */
  readonly token?: string;
  /** Whether the runs are due; else they never are. */
  readonly areDue?: boolean;
}

/** The rows of one customer, from which further customers are made. */
export class CustomerPattern {
  readonly #database: pg.Client;
  readonly #ids = new Set<string>();
  readonly #rows = new Map<string, string[]>();
  #generation = 0;

  private constructor(database: pg.Client) {
    this.#database = database;
  }

  /** Reads the rows of a customer whose only scheduled run is due; that run itself is never executed. */
  static async of(database: pg.Client, customerId: string): Promise<CustomerPattern> {
    await database.query('update billing_run set due_at = null where customer_id = $1', [
      customerId,
    ]);
    const pattern = new CustomerPattern(database);
    pattern.#ids.add(customerId);
    let found: number;
    do {
      found = pattern.#ids.size;
      for (const table of tables) await pattern.#read(table);
    } while (pattern.#ids.size > found);
    return pattern;
  }

  async #read(table: string) {
    const { rows } = await this.#database.query<{ row: string; id: string | null }>(
      `select to_jsonb(r)::text as row, to_jsonb(r) ->> 'id' as id from ${table} r
       where to_jsonb(r)::text like any ($1)
         ${table === 'billing_run' ? `and status = 'scheduled'` : ''}`,
      [[...this.#ids].map((id) => `%"${id.replaceAll('_', '\\_')}"%`)],
    );
    this.#rows.set(
      table,
      rows.map(({ row }) => row),
    );
    for (const { id } of rows) if (id) this.#ids.add(id);
  }

  /** Adds customers with the same records. */
  async copy(count: number, { token = 'sandbox_success', areDue = true }: Copies = {}) {
    const suffix = `_${++this.#generation}_`;
    let text = 'p.row';
    for (const id of this.#ids) text = `replace(${text}, '"${id}"', '"${id}${suffix}' || n || '"')`;
    for (const table of tables) {
      const changes: Record<string, string> = {
        customer: `'external_id', (p.row::jsonb ->> 'external_id') || '${suffix}' || n, 'invoice_count', 0,
          'invoice_number_base', upper(lpad(to_hex(${customers} + n), 7, '0'))`,
        billing_run: `'due_at', ${areDue ? `now() - interval '1 s'` : `'infinity'`}`,
      };
      await this.#database.query(
        `insert into ${table} select copy.* from unnest($1::text[]) p (row), generate_series(1, $2::int) n,
           jsonb_populate_record(null::${table}, (${text})::jsonb || jsonb_build_object(${changes[table] ?? ''})) copy`,
        [this.#rows.get(table), count],
      );
    }
    customers += count;
    await this.#sealTokens(suffix, token);
    await this.#database.query('analyze');
  }

  /** A token is sealed for its payment method, so each copy needs its own. */
  async #sealTokens(suffix: string, token: string) {
    const patterns = [...this.#ids].filter((id) => id.startsWith('pm_'));
    const { rows } = await this.#database.query<{ id: string }>(
      'select id from payment_method where starts_with(id, $1)',
      [`${patterns[0]}${suffix}`],
    );
    const ids = rows.map(({ id }) => id);
    await this.#database.query(
      `update payment_method m set token = sealed.token from unnest($1::text[], $2::text[]) as sealed (id, token)
       where m.id = sealed.id`,
      [ids, ids.map((id) => sealToken(id, token))],
    );
  }
}
