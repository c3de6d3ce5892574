import type { SearchParams } from "./page-props.ts";

const rowsPerPage = 50;

/** Paging parameters of a URL, in the form of the gateway's query. */
export function pageQueryOf(search: SearchParams): { limit: number; after?: string; before?: string } {
  const after = first(search.after);
  const before = first(search.before);
  return { limit: rowsPerPage, ...(after ? { after } : before ? { before } : {}) };
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
