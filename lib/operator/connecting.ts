/** The three steps from a provider's key to a first run, for operators of a new installation. */
export const guideHref = "/operator/first-steps/connect";

/** The page to add a provider, either on its own or as the first of the three steps. */
export function newProviderHref(guided = false): string {
  return guided ? guideHref : "/operator/providers/new";
}

/** The page after connecting a provider. It tests the provider. */
export function connectedHref(id: string, guided = false): string {
  const name = encodeURIComponent(id);
  return guided ? `${guideHref}?provider=${name}&test=now` : `/operator/providers/${name}?test=now`;
}
