import { graphql } from 'relay-runtime';

/** A page of customers that loads further ones. */
export const list = graphql`
  fragment relayPage_customers on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
  @refetchable(queryName: "relayPageMoreQuery") {
    customers(first: $first, after: $after, orderBy: created_at_asc)
      @connection(key: "relayPage_customers") {
      totalCount
      edges {
        node {
          id
          ...relayPage_row
        }
      }
    }
  }
`;

/** A row of it. */
export const row = graphql`
  fragment relayPage_row on Customer {
    name
    createdAt
  }
`;

export const query = graphql`
  query relayPageQuery {
    ...relayPage_customers
  }
`;

export const rename = graphql`
  mutation relayPageRenameMutation($externalId: String!, $name: String!) {
    updateCustomer(externalId: $externalId, customer: { name: $name }) {
      customer {
        id
        ...relayPage_row
      }
    }
  }
`;

export const changed = graphql`
  subscription relayPageChangedSubscription($id: ID!) {
    customerChanged(id: $id) {
      id
      ...relayPage_row
    }
  }
`;
