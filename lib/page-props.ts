/** The query of a page's URL as Next passes it. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** The props of a page; a folder in brackets adds its name to `Params`. */
export interface RouteProps<Params = Record<never, string>> {
  params: Promise<Params>;
  searchParams: Promise<SearchParams>;
}
