let key: string | null = null;

/**
 * The only run that a countdown may repeat: it has just failed on this page, it was neither stopped nor
 * repeated since, and no other run was started or opened.
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
