import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, Mark } from '../../parts/texts/small-texts.tsx';
import { AddFeatureDialog } from './add-feature-dialog.tsx';
import {
  ExpireFeatureDocument,
  SubscriptionFeaturesDocument,
  type SubscriptionFeaturesQuery,
} from './subscription.generated.ts';

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
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Feature>();
  const features = data?.subscription?.featureItems;
  return (
    <Section
      title="Features"
      actions={
        !isEnded && (
          <CommandButton
            does="addFeatureToSubscription"
            size="compact-xs"
            variant="default"
            onClick={() => setAdding(true)}
          >
            Add a feature
          </CommandButton>
        )
      }
    >
      {!features && <Failure error={error} onRetry={reload} />}
      <Stack gap="xs">
        {features?.length === 0 && <Dimmed>None</Dimmed>}
        {features?.map((feature) => (
          <Row key={feature.id} feature={feature} onRemove={setRemoved} />
        ))}
      </Stack>
      {isAdding && <AddFeatureDialog subscriptionId={id} onClose={() => setAdding(false)} />}
      <CommandDialog
        title="Remove the feature"
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        document={ExpireFeatureDocument}
        variables={removed && { id: removed.id }}
        label="Remove"
        isDangerous
        done="The feature is removed"
      >
        <Text size="sm">
          <b dir="auto">{removed?.name}</b> ends now for this subscription.
        </Text>
      </CommandDialog>
    </Section>
  );
}

const kinds: Readonly<Record<Feature['type'], string>> = {
  toggle: 'Access',
  resource: 'Capacity',
  usage_credit_grant: 'Usage credits',
};

interface RowProps {
  readonly feature: Feature;
  readonly onRemove: (feature: Feature) => void;
}

function Row({ feature, onRemove }: RowProps) {
  const { name, amount, type, renewalFrequency, expiredAt, manuallyCreated } = feature;
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
        <CommandButton
          does="expireSubscriptionItemFeature"
          size="compact-xs"
          variant="subtle"
          color="red"
          aria-label={`Remove ${name}`}
          onClick={() => onRemove(feature)}
        >
          Remove
        </CommandButton>
      )}
    </Group>
  );
}
