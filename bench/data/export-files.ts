import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const day = 86_400_000;

/**
 * Writes customers.csv and subscriptions.csv with so many customers. Each has a subscription; every second one has a
 * payment method, every fifth is in a trial, and every tenth has two items.
 */
export async function writeExport(folder: string, name: string, count: number) {
  const customers = ['external_id,name,email,country,payment_token'];
  const subscriptions = [
    'external_id,customer_external_id,price_slug,quantity,start_date,paid_until,trial_end',
  ];
  for (let n = 1; n <= count; n++) {
    const id = `${name}-${n}`;
    const token = n % 2 === 0 ? 'sandbox_success' : '';
    customers.push(`${id},Customer ${n},${id}@example.com,${n % 3 ? 'DE' : ''},${token}`);
    // A day of the month that all months have.
    const begin = new Date(Date.now() - (1 + (n % 20)) * day);
    begin.setUTCDate(Math.min(begin.getUTCDate(), 28));
    const end = new Date(begin);
    end.setUTCMonth(end.getUTCMonth() + 1);
    const [start, until] = [begin.toISOString(), end.toISOString()];
    const terms = n % 5 === 0 ? `${start},,${until}` : `${start},${until},`;
    subscriptions.push(`sub-${id},${id},base,${(n % 4) + 1},${terms}`);
    if (n % 10 === 0) subscriptions.push(`sub-${id},${id},seat,3,${terms}`);
  }
  await writeFile(join(folder, 'customers.csv'), customers.join('\n'));
  await writeFile(join(folder, 'subscriptions.csv'), subscriptions.join('\n'));
}
