import { Menu } from '@mantine/core';
import { useQuery } from 'urql';
import { IconCheck } from '../icons/icons.tsx';
import { isLive } from '../session/access.ts';
import { useSession } from '../session/session.tsx';
import { ModelsToShowDocument } from './pricing-models.generated.ts';

/** The pricing models of the mode. The numbers of the first page are those of one. */
export function PricingModelChoice() {
  const { access, choose } = useSession();
  const [{ data }] = useQuery({ query: ModelsToShowDocument });
  const models = data?.pricingModels.nodes ?? [];
  if (access.kind !== 'operator' || models.length < 2) return null;
  const chosen = access.pricingModelId ?? models.find(({ isDefault }) => isDefault)?.id;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Pricing model</Menu.Label>
      {models.map(({ id, name }) => (
        <Menu.Item
          key={id}
          rightSection={id === chosen && <IconCheck size={14} />}
          onClick={() => choose(isLive(access), id)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
