import { measureRead } from '../load/reads.ts';
import { createMeter } from '../running/service.ts';

/** `GET /api/v1/usage-meters/{id}`. */
export const getUsageMeter = () =>
  measureRead(
    'GET /api/v1/usage-meters/{id}',
    async (service) => `/api/v1/usage-meters/${await createMeter(service, 'api-calls')}`,
  );
