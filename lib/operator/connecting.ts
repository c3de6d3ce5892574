/** The three steps from a key to a first run, for operators of a new installation. */
export const guideHref = "/operator/first-steps/connect";

/** The page to add a provider, either alone or as the first of the three steps. */
export function newProviderHref(guided = false): string {
  return guided ? guideHref : "/operator/providers/new";
}

/** The page after connecting a provider, which tests it. */
export function connectedHref(id: string, guided = false): string {
  const name = encodeURIComponent(id);
  return guided ? `${guideHref}?provider=${name}&test=now` : `/operator/providers/${name}?test=now`;
}
