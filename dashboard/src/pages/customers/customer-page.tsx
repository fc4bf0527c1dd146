import { useParams } from 'react-router';
import { Page } from '../../parts/page.tsx';

function CustomerPage() {
  const { id = '' } = useParams();
  return (
    <Page title={id} above={[['Customers', '/customers']]}>
      …
    </Page>
  );
}

export { CustomerPage as Component };
