/** An endpoint's URL as host and path, without scheme and query; an invalid URL is returned unchanged. */
export function endpointAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`;
}

const shortLength = 96;
const endLength = 32;

/** The address for a row of a table: a long one is cut in the middle. */
export function shortAddress(url: string): string {
  const characters = [...endpointAddress(url)];
  if (characters.length <= shortLength) return characters.join("");
  const start = characters.slice(0, shortLength - endLength - 1).join("");
  return `${start}…${characters.slice(-endLength).join("")}`;
}
