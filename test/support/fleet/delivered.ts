import path from 'node:path';
import { root } from '#root';

/** The path of a configuration that operators copy. */
export const delivered = (name: string) => path.join(root, 'src/deploy', name);
