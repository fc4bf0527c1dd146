import { Migration } from '@mikro-orm/migrations';

export class CheckoutCodes extends Migration {
  override up(): void {
    this.addSql(
      `alter table "checkout_session" add "allow_discount_codes" boolean not null default true`,
    );
  }
}
