import { Group, Stack, Text } from '@mantine/core';
import { SectionButton } from '../../commands/command-button.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { RowsSection } from '../../parts/rows-section.tsx';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, Mark } from '../../parts/texts/small-texts.tsx';
import { AddFeatureDialog } from './add-feature-dialog.tsx';
import {
  ExpireFeatureDocument,
  SubscriptionFeaturesDocument,
  type SubscriptionFeaturesQuery,
} from './subscription.generated.ts';

const expireFeature = {
  does: 'expireSubscriptionItemFeature',
  document: ExpireFeatureDocument,
  title: 'Remove the feature',
  label: 'Remove',
  color: 'red',
  isDangerous: true,
  done: 'The feature is removed',
} as const;

type Feature = NonNullable<SubscriptionFeaturesQuery['subscription']>['featureItems'][number];

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly isEnded: boolean;
}

/** The features that a subscription grants now, and those that were added by hand. */
export function Features({ subscriptionId: id, customerId, isEnded }: Props) {
  const { data, error, reload } = useLive(
    SubscriptionFeaturesDocument,
    { id },
    { kinds: ['subscription', 'subscription_item', 'subscription_item_feature'], customerId },
  );
  const features = data?.subscription?.featureItems;
  return (
    <RowsSection
      title="Features"
      actions={
        !isEnded && (
          <SectionButton
            does="addFeatureToSubscription"
            dialog={(onClose) => <AddFeatureDialog subscriptionId={id} onClose={onClose} />}
          >
            Add a feature
          </SectionButton>
        )
      }
      rows={features}
      error={error}
      reload={reload}
      empty="None"
    >
      <Stack gap="xs">
        {features?.map((feature) => (
          <Row key={feature.id} feature={feature} />
        ))}
      </Stack>
    </RowsSection>
  );
}

const kinds: Readonly<Record<Feature['type'], string>> = {
  toggle: 'Access',
  resource: 'Capacity',
  usage_credit_grant: 'Usage credits',
};

function Row({ feature }: { readonly feature: Feature }) {
  const { id, name, amount, type, renewalFrequency, expiredAt, manuallyCreated } = feature;
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap={6} miw={0}>
        <Text size="sm" dir="auto">
          {name}
          {amount !== null && `: ${numberText(amount)}`}
        </Text>
        <Dimmed>
          {kinds[type]}
          {renewalFrequency && `, ${wordsOf(renewalFrequency).toLowerCase()}`}
          {expiredAt && (
            <>
              , until <Instant at={expiredAt} />
            </>
          )}
        </Dimmed>
        {manuallyCreated && <Mark>Added by hand</Mark>}
      </Group>
      {manuallyCreated && (
        <RowConfirm
          command={expireFeature}
          text={
            <>
              <b dir="auto">{name}</b> ends now for this subscription.
            </>
          }
          variables={{ id }}
          aria-label={`Remove ${name}`}
        />
      )}
    </Group>
  );
}
