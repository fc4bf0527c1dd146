// Keeps an open page of the portal current. The page is complete and works without it.
(() => {
  const { changes } = document.currentScript.dataset;
  const shortestPauseMilliseconds = 1_000;
  const retryMilliseconds = 10_000;
  let timer;
  let isLoading = false;
  let isStale = false;

  follow();
  document.addEventListener('focusout', () => isStale && update());
  if (window.parent !== window) new ResizeObserver(tellHeight).observe(document.body);

  /** Opens the stream of changes. What has changed before it was open is read again. */
  function follow() {
    const source = new EventSource(changes);
    source.addEventListener('open', update);
    source.addEventListener('next', update);
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(retry, retryMilliseconds);
    });
  }

  /** A session that has ended gets no further stream. */
  async function retry() {
    try {
      const { status } = await fetch(location.href, { method: 'GET' });
      if (status !== 401 && status !== 403) follow();
    } catch {
      // The service is away; the page tries again.
      setTimeout(retry, retryMilliseconds);
    }
  }

  function update() {
    isStale = true;
    timer ??= setTimeout(load, shortestPauseMilliseconds);
  }

  function load() {
    timer = undefined;
    if (isLoading) return;
    isLoading = true;
    isStale = false;
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.onload = () => {
      if (request.status === 200 && request.response) replaceParts(request.response);
    };
    request.onloadend = () => {
      isLoading = false;
      if (isStale && timer === undefined && !isUsed()) update();
    };
    request.send();
  }

  /** Replaces the parts that differ, but not one that the customer is using. */
  function replaceParts(page) {
    const parts = (root) => [...root.querySelectorAll('[data-live]')];
    const next = parts(page);
    const present = parts(document);
    const names = (all) => all.map((part) => part.getAttribute('aria-labelledby')).join();
    // A part that is new or gone has its place on the whole page.
    if (names(next) !== names(present)) {
      if (present.some(isInUse)) isStale = true;
      else document.querySelector('main').replaceWith(page.querySelector('main'));
      return;
    }
    for (const [place, part] of present.entries()) {
      if (content(part) === content(next[place])) continue;
      if (isInUse(part)) isStale = true;
      else part.replaceWith(next[place]);
    }
  }

  function isUsed() {
    return [...document.querySelectorAll('[data-live]')].some(isInUse);
  }

  function isInUse(part) {
    return part.contains(document.activeElement) || part.querySelector('details[open]') !== null;
  }

  /** The name of an attempt is another one on each page. */
  function content(part) {
    return part.outerHTML.replace(/name="attempt" value="[^"]*"/g, '');
  }

  /** The page around the frame gives it the height of its content. */
  function tellHeight() {
    const { height } = document.documentElement.getBoundingClientRect();
    window.parent.postMessage({ tollgatePortalHeight: Math.ceil(height) }, '*');
  }
})();
