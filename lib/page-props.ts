/** The query of a page's URL in the form in which Next passes it. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** The props of a page. A folder in brackets adds its name to `Params`. */
export interface RouteProps<Params = Record<never, string>> {
  params: Promise<Params>;
  searchParams: Promise<SearchParams>;
}

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
