/**
 * Whether an error means that a new version was deployed since this page loaded: its old scripts and actions are gone,
 * and only loading the page again helps.
 */
export function isStaleDeploy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /chunk|module script|dynamically imported|server action/i.test(`${error.name} ${error.message}`);
}
