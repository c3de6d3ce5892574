let key: string | null = null;

/**
 * The one run that a countdown may send again: it has just failed on this page, and since then it was not stopped or
 * sent again, and no other run was started or opened.
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
