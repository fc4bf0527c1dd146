/** The initial operations in GraphiQL. Both work on a new database, given a key in the headers. */
export const exampleOperations = `# Put your secret key in the place of <secret key> under "Headers", below; the schema shows without one.
# A key: tollgate keys create

query Catalog {
  products(first: 10) {
    nodes { id name slug defaultPrice { unitPrice currency intervalUnit } features { slug } }
    totalCount
  }
}

mutation AddUsageMeter {
  createUsageMeter(
    usageMeter: { name: "API calls", slug: "api-calls" }
    price: { unitPrice: 5, usageEventsPerUnit: 1000 }
  ) {
    usageMeter {
      id
      slug
      defaultPrice { unitPrice usageEventsPerUnit }
    }
  }
}
`;
