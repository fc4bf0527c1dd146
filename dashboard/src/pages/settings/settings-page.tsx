import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { Page } from '../../parts/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { CronRuns } from './cron-runs.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { Processors } from './processors.tsx';

const tabs = [
  ['organization', 'Organization', OrganizationForm],
  ['keys', 'Keys', ApiKeys],
  ['processors', 'Processors', Processors],
  ['jobs', 'Scheduled jobs', CronRuns],
] as const;

/** The settings of the organization, its keys, its processors, and the jobs of the service. */
function SettingsPage() {
  const { tab = 'organization' } = useParams();
  const navigate = useNavigate();
  return (
    <Page title="Settings">
      <Tabs value={tab} onChange={(next) => navigate(`/settings/${next}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name, , Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

export { SettingsPage as Component };
