/** The part of a route that the reference shows before it is opened. */
export interface ListedRoute {
  /** The `operationId` of the document; the route's anchor. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isPublic: boolean;
  /** Parameter names, so that a search finds them. */
  parameters: string[];
}

export interface ListedSection {
  tag: string;
  routes: ListedRoute[];
}

/** Whether the route contains all of these words, in lower case. */
export function isFound(tag: string, route: ListedRoute, words: readonly string[]): boolean {
  const { method, path, summary, parameters } = route;
  const text = [tag, method, path, summary, ...parameters].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
