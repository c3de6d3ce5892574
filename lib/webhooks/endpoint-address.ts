/** An endpoint's URL as host and path, without scheme and query; an invalid URL is returned unchanged. */
export function endpointAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`;
}

/** The address for a row of a table: a long one is cut in the middle; a third of what is left is its end. */
export function shortAddress(url: string, length: number): { text: string; isCut: boolean } {
  const characters = [...endpointAddress(url)];
  if (characters.length <= length) return { text: characters.join(""), isCut: false };
  const endLength = Math.floor(length / 3);
  const start = characters.slice(0, length - endLength - 1).join("");
  return { text: `${start}…${characters.slice(-endLength).join("")}`, isCut: true };
}
