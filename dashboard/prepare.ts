import { isPackageMissing } from '../src/server/dashboard-files.ts';

/**
 * npm runs this after it has installed the packages. An installation without development packages cannot build the
 * dashboard: it takes the folder `dashboard/dist` of another one.
 */
if (hasBuilder()) await import('./build.ts');
else {
  process.stderr.write(
    'The dashboard is not built, because the development packages are not installed. Copy the folder dashboard/dist from an installation that has them.\n',
  );
}

function hasBuilder(): boolean {
  try {
    return import.meta.resolve('vite') !== '';
  } catch (error) {
    if (isPackageMissing(error)) return false;
    throw error;
  }
}
