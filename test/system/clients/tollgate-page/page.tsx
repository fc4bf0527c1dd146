import {
  CustomerPortal,
  TollgateProvider,
  useBalance,
  useCapacity,
  useEntitlement,
  useUsage,
} from '@tollgate/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const settings = JSON.parse(decodeURIComponent(location.hash.slice(1)));

/** The results of the hooks, as text. */
function Shown() {
  const feature = useEntitlement(settings.feature);
  const balance = useBalance(settings.meter);
  const seats = useCapacity(settings.resource);
  const { from, to } = settings;
  const usage = useUsage(settings.meter, { from, to });
  const days = usage.data?.flatMap(({ points }) => points.map((point) => point.usage)) ?? [];
  return (
    <ul>
      <li id="feature">{`${feature.state} ${feature.data?.isGranted}`}</li>
      <li id="balance">{`${balance.state} ${balance.data?.used} ${balance.isLive}`}</li>
      <li id="seats">{`${seats.state} ${seats.data?.claimed}/${seats.data?.capacity}`}</li>
      <li id="usage">{`${usage.state} ${days.reduce((sum, day) => sum + day, 0)}`}</li>
      <li id="error">{balance.error?.code ?? ''}</li>
    </ul>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <TollgateProvider url={settings.url} token={settings.token}>
      <Shown />
      {settings.portal && <CustomerPortal locale="de" />}
    </TollgateProvider>
  </StrictMode>,
);
