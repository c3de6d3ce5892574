/** The query of a page's URL as Next gives it. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** What Next hands to a page; a folder in brackets adds its name to `Params`. */
export interface RouteProps<Params = Record<never, string>> {
  params: Promise<Params>;
  searchParams: Promise<SearchParams>;
}
