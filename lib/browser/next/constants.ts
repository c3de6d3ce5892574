/**
 * What the browser needs of Next's constants: see `next.config.js`. All of them, mostly names for servers,
 * cost 1.7 kB on every page.
 */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = "x-nextjs-deployment-id";
