import { createServer } from 'node:http';
import pg from 'pg';

/** The baseline: one query by id behind `node:http`, without any feature of a product. */
const [databaseUrl = '', port = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

createServer(async ({ url = '' }, response) => {
  const { rows } = await pool.query({
    name: 'usage-meter',
    text: 'select * from usage_meter where id = $1',
    values: [url.slice(url.lastIndexOf('/') + 1)],
  });
  const [row] = rows;
  const usageMeter = {
    id: row.id,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    livemode: row.livemode,
    organizationId: row.organization_id,
    name: row.name,
    pricingModelId: row.pricing_model_id,
    slug: row.slug,
    aggregationType: row.aggregation_type,
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ usageMeter }));
}).listen(Number(port), '127.0.0.1');
