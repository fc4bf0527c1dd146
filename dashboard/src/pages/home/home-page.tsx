import { Page } from '../../parts/page.tsx';

function HomePage() {
  return <Page title="Home">…</Page>;
}

export { HomePage as Component };
