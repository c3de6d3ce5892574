/** What the reference shows of a route before somebody opens it. */
export interface ListedRoute {
  /** The `operationId` of the document; the route's anchor. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isPublic: boolean;
  /** Their names, which a search finds. */
  parameters: string[];
}

export interface ListedSection {
  tag: string;
  routes: ListedRoute[];
}

/** Whether a search for all of these words, in lower case, finds the route. */
export function isFound(tag: string, route: ListedRoute, words: readonly string[]): boolean {
  const { method, path, summary, parameters } = route;
  const text = [tag, method, path, summary, ...parameters].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
