import { openBrowser } from '../../test/support/browser.ts';
import { spreadOf } from '../running/figures.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const customers = 10_000;
const writers = 32;
const visits = 5;
const paths = ['/', '/customers', '/events'] as const;
/** A screen shows 60 frames a second, so that a frame has this time. */
const frameMilliseconds = 1_000 / 60;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The dashboard in Chromium: the first content of cold visits, and the frames while 10,000 rows are scrolled. */
export async function pages() {
  await using service = await startMeasuredService();
  await fill(service);
  const browser = await openBrowser();
  try {
    print(`First content, cold, median of ${visits}`);
    for (const path of paths) await measureVisits(browser, service, path);
    print(`\n${customers} rows of /customers, scrolled to their end`);
    await measureFrames(browser, service);
  } finally {
    await browser.close();
  }
}

async function fill({ url, key }: MeasuredService) {
  const rest = Array.from({ length: customers }, (_, n) => n).values();
  const write = async () => {
    for (const n of rest) {
      const customer = { externalId: `c${n}`, name: `Customer ${n}`, email: `c${n}@example.com` };
      const answer = await fetch(`${url}/api/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ customer }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** A page in a profile of its own, without a cache. */
async function visit(browser: Browser, { url, key }: MeasuredService, path: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('tollgate.key', ${JSON.stringify(key)})`);
  await page.goto(`${url}${path}`);
  return page;
}

async function measureVisits(browser: Browser, service: MeasuredService, path: string) {
  const painted: number[] = [];
  const complete: number[] = [];
  for (let n = 0; n < visits; n++) {
    const page = await visit(browser, service, path);
    await page
      .locator(path === '/' ? 'main h2' : 'main tbody tr')
      .first()
      .waitFor();
    complete.push(await page.evaluate('performance.now()'));
    painted.push(
      await page.evaluate(
        `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
      ),
    );
    await page.context().close();
  }
  const [paint, rows] = [painted, complete].map((times) => Math.round(spreadOf(times).median));
  print(`${path.padEnd(12)}  first paint ${paint} ms   first content ${rows} ms`);
}

/** A fast turn of the wheel moves 6,000 pixels a second. */
const pixelsPerFrame = 100;

/** Scrolls in each frame, and notes how long each frame takes. */
const scroll = `async () => {
  const area = [...document.querySelectorAll('main *')]
    .find((each) => each.scrollHeight > each.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(each).overflowY));
  const frames = [];
  let last = performance.now();
  let stuck = 0;
  while (stuck < 120) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    const before = area.scrollTop;
    area.scrollTop += ${pixelsPerFrame};
    stuck = area.scrollTop === before ? stuck + 1 : 0;
  }
  return frames;
}`;

async function measureFrames(browser: Browser, service: MeasuredService) {
  const page = await visit(browser, service, '/customers');
  await page.locator('main tbody tr').first().waitFor();
  const frames: number[] = await page.evaluate(`(${scroll})()`);
  const { median } = spreadOf(frames);
  const late = frames.filter((frame) => frame > 2 * frameMilliseconds).length;
  const rows = await page.locator('main tbody tr').count();
  const share = ((100 * late) / frames.length).toFixed(1);
  print(
    `frames        ${frames.length} frames   median ${median.toFixed(1)} ms   ${share} % longer than 33 ms`,
  );
  print(`document      ${rows} rows at once`);
}
