import { Migration } from '@mikro-orm/migrations';

/** An event enters the indexes of the feed once, when it gets its number, and not also when it is written. */
export class Migration20261123060000 extends Migration {
  override name = 'Migration20261123060000';

  override up(): void {
    this.addSql('alter table event drop constraint event_sequence_unique');
    this.addSql('drop index event_feed, event_age');
    const numbered = 'where (sequence is not null)';
    this.addSql(`create unique index event_sequence_unique on event (sequence) ${numbered}`);
    this.addSql(`create index event_feed on event (pricing_model_id, sequence) ${numbered}`);
    this.addSql(`create index event_age on event (recorded_at) ${numbered}`);
  }
}
