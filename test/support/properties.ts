import fc from 'fast-check';
import { seed } from './effort.ts';

// A counterexample is reported at once. To shrink one that needs a database takes longer than a test may.
fc.configureGlobal({ endOnFailure: true, seed });
