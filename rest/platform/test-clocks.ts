import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { del, list, one, post } from '../engine/route.ts';

const testClock = fragment(/* GraphQL */ `
  fragment TestClock on TestClock {
    id createdAt updatedAt livemode organizationId pricingModelId name frozenTime status advancingTo
  }
`);

export const testClocks = [
  list('/test-clocks', 'testClocks', testClock),
  one('/test-clocks/:id', { testClock }),
  post(
    '/test-clocks',
    mutation('createTestClock', '$testClock: CreateTestClockInput!', { testClock }),
  ),
  post(
    '/test-clocks/:id/advance',
    mutation('advanceTestClock', '$id: ID!, $frozenTime: Timestamp!', { testClock }),
  ),
  del('/test-clocks/:id', mutation('deleteTestClock', '$id: ID!', { testClock })),
];
