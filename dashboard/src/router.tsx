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
];

export const router = createBrowserRouter(
  [
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
