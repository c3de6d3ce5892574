/** The page of everything that has a pair of metadata, such as `customer=acme`. */
export function metadataHref(pair: string): string {
  return `/metadata?${new URLSearchParams({ pair })}`;
}

/** The page of the endpoints with this description. */
export function descriptionHref(description: string): string {
  return `/metadata?${new URLSearchParams({ description })}`;
}
