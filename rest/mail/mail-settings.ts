import { fragment } from '../engine/fragment.ts';
import { get, put } from '../engine/route.ts';

const settings = fragment(
  'MailSettings',
  /* GraphQL */ `
    fragment MailSettings on MailSettings {
      id createdAt updatedAt livemode organizationId delivery kinds fromName fromAddress usualFromAddress replyTo language
      trialEndingDays renewalDays cardExpiringDays prepaidExpiringDays portalLinkDays
    }
  `,
);

export const mailSettings = [
  get(
    '/mail-settings',
    /* GraphQL */ `
      query GetMailSettings { mailSettings { ...MailSettings } }
      ${settings}
    `,
    { versioned: 'mailSettings' },
  ),
  put(
    '/mail-settings',
    /* GraphQL */ `
      mutation UpdateMailSettings($mailSettings: UpdateMailSettingsInput!) {
        body: updateMailSettings(mailSettings: $mailSettings) { mailSettings { ...MailSettings } }
      }
      ${settings}
    `,
    { versioned: 'body.mailSettings' },
  ),
];
