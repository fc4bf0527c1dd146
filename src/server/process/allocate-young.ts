import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all new objects in the young generation. V8 else allocates those of a literal in the old one where
 * many of them have survived. The objects of requests survive some collections while a statement runs, and live no
 * longer than their request.
 */
export const allocateYoung = () => setFlagsFromString('--no-allocation-site-pretenuring');
