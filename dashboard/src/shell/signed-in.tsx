import { Outlet } from 'react-router';
import { PermissionsProvider } from '../commands/permissions.tsx';
import { ConsoleProvider } from '../console/console.tsx';
import { FeedProvider } from '../live/feed.tsx';
import { ServiceProvider } from '../live/service.tsx';
import { SessionGate } from '../session/session.tsx';

/** The pages of a known caller, with their connection and the feed. */
export function SignedIn() {
  return (
    <SessionGate>
      <ServiceProvider>
        <FeedProvider>
          <PermissionsProvider>
            <ConsoleProvider>
              <Outlet />
            </ConsoleProvider>
          </PermissionsProvider>
        </FeedProvider>
      </ServiceProvider>
    </SessionGate>
  );
}
