import { Migration } from '@mikro-orm/migrations';

export class FactsOfCheckouts extends Migration {
  override up(): void {
    this.addSql(`alter table "checkout_session" add "stored_facts" jsonb null`);
  }
}
