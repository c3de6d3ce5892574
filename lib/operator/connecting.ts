/** The three steps from a key to a first run, which operators are led through on their first day. */
export const guideHref = "/operator/first-steps/connect";

/** Where a provider is added: on its own, or as the first of the three steps. */
export function newProviderHref(guided = false): string {
  return guided ? guideHref : "/operator/providers/new";
}

/** Where it goes on once a provider is connected: it is tested there. */
export function connectedHref(id: string, guided = false): string {
  const name = encodeURIComponent(id);
  return guided ? `${guideHref}?provider=${name}&test=now` : `/operator/providers/${name}?test=now`;
}
