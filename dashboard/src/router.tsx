import { createBrowserRouter, type RouteObject } from 'react-router';
import { basename } from './base.ts';
import { LoadingPage } from './shell/loading-page.tsx';
import { ProblemPage } from './shell/problem-page.tsx';
import { Shell } from './shell/shell.tsx';
import { SignedIn } from './shell/signed-in.tsx';

type Loaded = () => Promise<{ readonly Component: () => React.ReactNode }>;

/** A page whose script is loaded when it is opened. */
const page = (path: string, lazy: Loaded): RouteObject => ({ path, lazy });

const routes: readonly RouteObject[] = [
  { index: true, lazy: () => import('./pages/home/home-page.tsx') },
  page('customers', () => import('./pages/customers/customers-page.tsx')),
  page('customers/:id', () => import('./pages/customers/customer-page.tsx')),
  page('subscriptions', () => import('./pages/subscriptions/subscriptions-page.tsx')),
  page('subscriptions/:id', () => import('./pages/subscriptions/subscription-page.tsx')),
  page('invoices', () => import('./pages/invoices/invoices-page.tsx')),
  page('invoices/:id', () => import('./pages/invoices/invoice-page.tsx')),
  page(
    'invoices/consolidated/:id',
    () => import('./pages/invoices/consolidated/consolidated-page.tsx'),
  ),
  page(
    'invoices/credit-notes/:id',
    () => import('./pages/invoices/credit-notes/credit-note-page.tsx'),
  ),
  page('payments', () => import('./pages/payments/payments-page.tsx')),
  page('payments/:id', () => import('./pages/payments/payment-page.tsx')),
  page('payments/remittances/:id', () => import('./pages/payments/remittance-page.tsx')),
  page('usage', () => import('./pages/usage/usage-page.tsx')),
  page('usage/events/:id', () => import('./pages/usage/usage-event-page.tsx')),
  page('catalog', () => import('./pages/catalog/catalog-page.tsx')),
  page('catalog/:id', () => import('./pages/catalog/pricing-model-page.tsx')),
  page('test-clocks', () => import('./pages/test-clocks/test-clocks-page.tsx')),
  page('test-clocks/:id', () => import('./pages/test-clocks/test-clock-page.tsx')),
  page('webhooks', () => import('./pages/webhooks/webhooks-page.tsx')),
  page('webhooks/:id', () => import('./pages/webhooks/webhook-page.tsx')),
  page('settings', () => import('./pages/settings/settings-page.tsx')),
  page('settings/:tab', () => import('./pages/settings/settings-page.tsx')),
  page('events', () => import('./pages/events/events-page.tsx')),
  page('events/:id', () => import('./pages/events/event-page.tsx')),
];

export const router = createBrowserRouter(
  [
    {
      path: 'invitations/:token',
      lazy: () => import('./session/invitation-page.tsx'),
      hydrateFallbackElement: <LoadingPage />,
    },
    {
      element: <SignedIn />,
      errorElement: <ProblemPage />,
      hydrateFallbackElement: <LoadingPage />,
      children: [
        {
          element: <Shell />,
          children: [
            {
              errorElement: <ProblemPage />,
              children: [...routes, { path: '*', element: <ProblemPage /> }],
            },
          ],
        },
      ],
    },
  ],
  { basename },
);
