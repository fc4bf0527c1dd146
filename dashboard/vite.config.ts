import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

// biome-ignore lint/style/noProcessEnv: the address of another service than the usual one, while pages are edited
const service = process.env.TOLLGATE_URL ?? 'http://127.0.0.1:4000';

/** Relative addresses work below each path prefix; the service states the base of each page. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), baseWhileEditing()],
  resolve: { conditions: ['@tollgate/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    license: { fileName: 'LICENSES.md' },
  },
  // `vite dashboard` reloads pages while they are edited, in front of a service that is running.
  server: {
    proxy: {
      '/graphql': { target: service, ws: true, changeOrigin: true },
      '/api': service,
      '/auth': service,
      '/docs': service,
      '/favicon.svg': service,
    },
  },
});

/** The service writes the base of a page; here the pages are at the root. */
function baseWhileEditing(): Plugin {
  return {
    name: 'base-while-editing',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('<!--base-->', '<base href="/">'),
  };
}
