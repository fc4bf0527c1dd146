import type { MikroORM } from '@mikro-orm/postgresql';

/** Counts the statements of the ORM, including `begin` and `commit`. */
export function countStatements(orm: MikroORM) {
  const logger = orm.config.getLogger();
  const { logQuery } = logger;
  let count = 0;
  logger.logQuery = () => void count++;
  return {
    stop: () => {
      logger.logQuery = logQuery;
      return count;
    },
  };
}
