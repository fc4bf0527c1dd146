import { Paywall, PricingTable, TollgateProvider, Usage } from '@tollgate/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const settings = JSON.parse(decodeURIComponent(location.hash.slice(1)));

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <TollgateProvider url={settings.url} token={settings.token}>
      <main>
        <h1>Plans</h1>
        <h2>All</h2>
        <PricingTable checkout="/checkout" locale="en-US" className="plans" />
        <Paywall feature={settings.feature}>
          <p id="paid">Reports</p>
        </Paywall>
        <Usage meter={settings.meter} locale="en-US" />
      </main>
    </TollgateProvider>
  </StrictMode>,
);
