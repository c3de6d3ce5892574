/** The part of a route that the reference shows before the user opens the route. */
export interface ListedRoute {
  /** The document's `operationId`, which is the route's anchor. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isPublic: boolean;
  /** Parameter names, which the search also finds. */
  parameters: string[];
}

export interface ListedSection {
  tag: string;
  routes: ListedRoute[];
}

/** Whether the route contains all of these lower-case words. */
export function isFound(tag: string, route: ListedRoute, words: readonly string[]): boolean {
  const { method, path, summary, parameters } = route;
  const text = [tag, method, path, summary, ...parameters].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
