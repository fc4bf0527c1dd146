import { measureRead } from '../load/reads.ts';
import { createMeter } from '../running/service.ts';

const meters = 100;

/** `GET /api/v1/usage-meters?limit=100`: a full page with its total. */
export const listUsageMeters = () =>
  measureRead(`GET /api/v1/usage-meters?limit=${meters}`, async (service) => {
    for (let n = 0; n < meters; n++) await createMeter(service, `meter-${n}`);
    return `/api/v1/usage-meters?limit=${meters}`;
  });
