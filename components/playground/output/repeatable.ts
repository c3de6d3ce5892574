let key: string | null = null;

/**
 * The one run that a countdown may send again: it has just failed on this page, and was not stopped, sent again
 * started another or looked at an older one since.
 */
export const repeatable = {
  is: (run: { key: string }) => run.key === key,
  allow(run: { key: string }) {
    key = run.key;
  },
  forbid() {
    key = null;
  },
};
