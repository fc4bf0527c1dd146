import { Migration } from '@mikro-orm/migrations';

/** The present MRR of each subscription, for conditions and orders. */
export class Migration20261122180000 extends Migration {
  override name = 'Migration20261122180000';

  override up(): void {
    this.addSql(
      'alter table subscription add column mrr bigint not null default 0, add column mrr_changes_at timestamptz(3)',
    );
    this.addSql(`with changes as (
        select c.*, c.at > coalesce(clock.frozen_time, now()) as is_planned
        from mrr_change c join subscription s on s.id = c.subscription_id
          left join test_clock clock on clock.id = s.test_clock_id),
      latest as (
        select distinct on (subscription_id, product_id) subscription_id, amount_after
        from changes where not is_planned order by subscription_id, product_id, at desc),
      present as (
        select subscription_id, round(round(sum(amount_after), 6)) as mrr from latest group by 1),
      planned as (select subscription_id, min(at) as changes_at from changes where is_planned group by 1),
      stored as (select * from present full join planned using (subscription_id))
      update subscription set mrr = coalesce(stored.mrr, 0), mrr_changes_at = stored.changes_at
      from stored where stored.subscription_id = subscription.id and (stored.mrr <> 0 or stored.changes_at is not null)`);
    this.addSql('create index subscription_mrr on subscription (pricing_model_id, mrr, position, id)');
    this.addSql(
      'create index subscription_mrr_planned on subscription (pricing_model_id, mrr_changes_at) where (mrr_changes_at is not null)',
    );
  }
}
