import { createServer } from 'node:http';
import pg from 'pg';

/** The baseline: one query by id, or one for a page, behind `node:http`, without any feature of a product. */
const [databaseUrl = '', port = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

createServer(async ({ url = '' }, response) => {
  const body = url.includes('?') ? await page() : await one(url.slice(url.lastIndexOf('/') + 1));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}).listen(Number(port), '127.0.0.1');

async function one(id: string) {
  const text = 'select * from usage_meter where id = $1';
  const { rows } = await pool.query({ name: 'usage-meter', text, values: [id] });
  return { usageMeter: shown(rows[0]) };
}

async function page() {
  const text = 'select * from usage_meter order by created_at, position limit 100';
  const { rows } = await pool.query({ name: 'usage-meters', text });
  return { data: rows.map(shown), hasMore: false, total: rows.length };
}

function shown(row: pg.QueryResultRow) {
  return {
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
}
