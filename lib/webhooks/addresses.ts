import { cutInMiddle } from "../format.ts";

/** An endpoint's URL as host and path, without scheme and query. An invalid URL is returned unchanged. */
export function endpointAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`;
}

/** The address for a table row. A long address is shortened in the middle, as by `cutInMiddle`. */
export function shortAddress(url: string, length: number): { text: string; isCut: boolean } {
  const address = endpointAddress(url);
  const text = cutInMiddle(address, length);
  return { text, isCut: text !== address };
}
