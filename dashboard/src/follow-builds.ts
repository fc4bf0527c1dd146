const mark = 'tollgate.reloaded';
/** A script that is missing again so soon is not the fault of another build. */
const pauseMilliseconds = 60_000;

/** Loads the page again when a script of it is gone, which a newer build has replaced. */
export function followBuilds() {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(mark) ?? 0);
    if (Date.now() - last < pauseMilliseconds) return;
    event.preventDefault();
    sessionStorage.setItem(mark, String(Date.now()));
    location.reload();
  });
}
