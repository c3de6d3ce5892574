/** An endpoint's URL as people tell it from others: host and path. Scheme and query are left out; what is no URL stays. */
export function endpointAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`;
}
