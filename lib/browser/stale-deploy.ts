/**
 * Whether an error means that a new version was deployed since this page loaded. The page's scripts and
 * actions then no longer exist, so only a reload helps.
 */
export function isStaleDeploy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /chunk|module script|dynamically imported|server action/i.test(`${error.name} ${error.message}`);
}
