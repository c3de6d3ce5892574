let key: string | null = null;

/**
 * The one run that a countdown may repeat. It has just failed on this page; since then it was neither stopped
 * nor repeated, and no other run was started or opened.
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
