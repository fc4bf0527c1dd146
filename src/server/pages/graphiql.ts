import { exampleOperations } from './example-operations.ts';

/**
 * Makes GraphiQL select a tab at start. It stores its tabs, and selects the one with the separately stored query,
 * variables and headers. These are stored only after an edit: without them it opens an empty tab at each load. This
 * script copies them from the tab to select: the tab with the query of the address (`?query=`), else the last active
 * one.
 */
const selectTab = `
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    const asked = new URLSearchParams(location.search).get('query');
    const active = tabs[activeTabIndex];
    const tab = asked && active.query !== asked ? tabs.find(({ query }) => query === asked) : active;
    for (const name of tab ? ['query', 'variables', 'headers'] : []) {
      if (tab[name]) localStorage.setItem('graphiql:' + name, tab[name]);
      else localStorage.removeItem('graphiql:' + name);
    }
  } catch {
    // Without readable tabs GraphiQL begins with the examples.
  }
`;

const root = '<div id="root"></div>';

/**
 * The page of GraphiQL, which shows the tabs of the last visit after a reload. It has 9 MB and is always the same, so the
 * build prepares it.
 */
export async function graphiqlPage(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({
    title: 'Tollgate',
    defaultQuery: exampleOperations,
    headers: JSON.stringify({ Authorization: 'Bearer <secret key>' }, null, 2),
  });
  return page.replace(root, () => `${root}<script>{${selectTab}}</script>`);
}
