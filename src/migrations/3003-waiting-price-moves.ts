import { Migration } from '@mikro-orm/migrations';

export class WaitingPriceMoves extends Migration {
  override up(): void {
    this.addSql(`alter table "price_move" add "retry_at" timestamptz(3) null, add "problem" text null`);
  }
}
