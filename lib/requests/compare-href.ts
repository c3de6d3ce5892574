/** More requests would not fit side by side. */
export const maxComparedRequests = 2;

/** The page with these requests side by side. With only one it offers others. */
export function compareRequestsHref(ids: readonly string[]): string {
  return `/requests/compare?ids=${ids.slice(0, maxComparedRequests).join(",")}`;
}
