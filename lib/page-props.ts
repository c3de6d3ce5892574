/** The query of a page's URL in the form in which Next passes it. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** The props of a page. A folder in brackets adds its name to `Params`. */
export interface RouteProps<Params = Record<never, string>> {
  params: Promise<Params>;
  searchParams: Promise<SearchParams>;
}
