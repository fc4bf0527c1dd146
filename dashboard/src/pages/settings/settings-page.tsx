import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { Page } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { Account } from './account.tsx';
import { ApiKeys } from './api-keys.tsx';
import { CronRuns } from './cron-runs.tsx';
import { Mail } from './mail.tsx';
import { Operators } from './operators.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { Processors } from './processors.tsx';
import { Taxes } from './taxes.tsx';

const tabs = [
  ['organization', 'Organization', OrganizationForm],
  ['taxes', 'Taxes', Taxes],
  ['keys', 'Keys', ApiKeys],
  ['processors', 'Processors', Processors],
  ['mail', 'Mail', Mail],
  ['jobs', 'Scheduled jobs', CronRuns],
  ['operators', 'Operators', Operators],
  ['account', 'Your account', Account],
] as const;

/** The settings of the organization, its taxes, its keys, its processors, and the jobs of the service. */
function SettingsPage() {
  const { tab = 'organization' } = useParams();
  const navigate = useNavigate();
  const { access } = useSession();
  const shown = tabs.filter(([name]) => name !== 'account' || access.kind === 'operator');
  return (
    <Page title="Settings">
      <Tabs value={tab} onChange={(next) => navigate(`/settings/${next}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {shown.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([name, , Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

export { SettingsPage as Component };
