import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, put } from '../engine/route.ts';

const settings = fragment(/* GraphQL */ `
  fragment MailSettings on MailSettings {
    id createdAt updatedAt livemode organizationId delivery kinds fromName fromAddress usualFromAddress replyTo language
    trialEndingDays renewalDays cardExpiringDays prepaidExpiringDays portalLinkDays
  }
`);

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
    mutation('updateMailSettings', '$mailSettings: UpdateMailSettingsInput!', {
      mailSettings: settings,
    }),
    { versioned: 'body.mailSettings' },
  ),
];
