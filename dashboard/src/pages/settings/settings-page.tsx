import { useNavigate, useParams } from 'react-router';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useSession } from '../../session/session.tsx';
import { Account } from './account.tsx';
import { ApiKeys } from './api-keys.tsx';
import { CronRuns } from './cron-runs.tsx';
import { Mail } from './mail.tsx';
import { Operators } from './operators.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { Processors } from './processors.tsx';
import { Taxes } from './taxes.tsx';

/** The settings of the organization, its taxes, its keys, its processors, and the jobs of the service. */
function SettingsPage() {
  const { tab } = useParams();
  const navigate = useNavigate();
  const { access } = useSession();
  return (
    <Page title="Settings">
      <PageTabs
        value={tab}
        onChange={(next = 'organization') => navigate(`/settings/${next}`)}
        tabs={[
          ['organization', 'Organization', () => <OrganizationForm />],
          ['taxes', 'Taxes', () => <Taxes />],
          ['keys', 'Keys', () => <ApiKeys />],
          ['processors', 'Processors', () => <Processors />],
          ['mail', 'Mail', () => <Mail />],
          ['jobs', 'Scheduled jobs', () => <CronRuns />],
          ['operators', 'Operators', () => <Operators />],
          ...(access.kind === 'operator'
            ? [['account', 'Your account', () => <Account />] as const]
            : []),
        ]}
      />
    </Page>
  );
}

export { SettingsPage as Component };
