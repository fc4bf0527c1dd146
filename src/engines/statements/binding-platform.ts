import { PostgreSqlPlatform } from '@mikro-orm/postgresql';
import type { Bound } from './known-statement.ts';

/** PostgreSQL takes 65,535; further texts of a statement are inlined, escaped. */
const mostParameters = 60_000;

/** Collects the texts of a statement while the ORM builds it. */
export class BindingPlatform extends PostgreSqlPlatform {
  #texts: string[] | undefined;
  #isWhole = false;

  /**
   * The statement with `$1`, `$2` … in place of texts, and the texts. Null stays in it. Numbers and instants stay unless
   * `isWhole` asks for one text for all values.
   */
  bind(sql: string, params: readonly unknown[], isWhole = false): Bound {
    const texts: string[] = [];
    this.#texts = texts;
    this.#isWhole = isWhole;
    try {
      const bound = this.formatQuery(sql, [...params]);
      if (texts.length <= mostParameters) return { sql: bound, texts };
    } finally {
      this.#texts = undefined;
    }
    return { sql: this.formatQuery(sql, [...params]), texts: [] };
  }

  override escape(value: unknown): string {
    if (!this.#texts) return super.escape(value);
    const text = this.#isWhole ? wholeText(value) : value;
    if (typeof text !== 'string') return super.escape(value);
    this.#texts.push(text);
    return `$${this.#texts.length}`;
  }
}

/** Numbers and instants as texts; other values as they are. */
function wholeText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}
