/**
 * Replaces `typebox` in the browser, which saves 50 kB on each page. Pages use the contract's constants
 * (statuses, limits, ids) but not its schemas: the gateway validates input, and forms use the catalog's
 * schemas.
 */
export const Type = new Proxy({} as Record<string, () => object>, { get: () => () => ({}) });
