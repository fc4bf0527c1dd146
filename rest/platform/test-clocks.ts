import { fragment } from '../engine/fragment.ts';
import { del, get, list, post } from '../engine/route.ts';

const testClock = fragment(
  'TestClock',
  /* GraphQL */ `
    fragment TestClock on TestClock {
      id createdAt updatedAt livemode organizationId pricingModelId name frozenTime status advancingTo
    }
  `,
);

export const testClocks = [
  list('/test-clocks', 'testClocks', testClock),
  get(
    '/test-clocks/:id',
    /* GraphQL */ `
      query GetTestClock($id: ID!) { testClock(id: $id) { ...TestClock } }
      ${testClock}
    `,
  ),
  post(
    '/test-clocks',
    /* GraphQL */ `
      mutation CreateTestClock($testClock: CreateTestClockInput!) {
        body: createTestClock(testClock: $testClock) { testClock { ...TestClock } }
      }
      ${testClock}
    `,
  ),
  post(
    '/test-clocks/:id/advance',
    /* GraphQL */ `
      mutation AdvanceTestClock($id: ID!, $frozenTime: Timestamp!) {
        body: advanceTestClock(id: $id, frozenTime: $frozenTime) { testClock { ...TestClock } }
      }
      ${testClock}
    `,
  ),
  del(
    '/test-clocks/:id',
    /* GraphQL */ `
      mutation DeleteTestClock($id: ID!) { body: deleteTestClock(id: $id) { testClock { ...TestClock } } }
      ${testClock}
    `,
  ),
];
