/** Headers of every answer; the content security policy differs per page and comes from proxy.ts. */
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(self), payment=(), usb=()" },
];

/** Pages with another address than in releases up to 0.3.0; links and bookmarks lead to the new one. */
const movedPages = [
  ["/audit-logs", "/audit-log"],
  ["/docs", "/api-reference"],
  ["/status", "/status-and-regions"],
  ["/regions", "/status-and-regions"],
  ["/verify", "/library/check-a-file"],
  ["/operator/routes", "/operator/mapping"],
  ["/operator/usage", "/operator/all-usage"],
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Next would otherwise write files into the checkout and stop builds with reminders.
  agentRules: false,
  experimental: { agentUpgrade: false },
  // `npm run check:types` checks the whole repository, including tests and gateway, so a start need not do
  // it.
  typescript: { ignoreBuildErrors: true },
  // Media comes from the gateway by signed URL; the image optimiser would copy private files into a cache.
  images: { unoptimized: true },
  redirects: async () =>
    movedPages.flatMap(([from, to]) => [
      { source: `${from}/:rest*`, destination: `${to}/:rest*`, permanent: true },
      { source: `/a/:account${from}/:rest*`, destination: `/a/:account${to}/:rest*`, permanent: true },
    ]),
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    // The addresses of these pages end with a one-time token, in the part that no server sees.
    { source: "/(invite|reset|setup)", headers: [{ key: "Referrer-Policy", value: "no-referrer" }] },
    // The same for shared outputs, whose token is in the path.
    {
      source: "/public/shared/:token*",
      headers: [
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "X-Robots-Tag", value: "noindex, nofollow" },
      ],
    },
    {
      source: "/(covers/.+|provider-icons.svg)",
      headers: [{ key: "Cache-Control", value: "public, max-age=86400" }],
    },
  ],
  turbopack: {
    resolveAlias: {
      // rjsf's form imports these modules itself, so a wrapper of ours could not leave them out: without the
      // aliases a playground loads 65 kB more. rjsf renders descriptions with 30 kB of markdown; ours are plain text.
      "@x0k/json-schema-merge": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      "@x0k/json-schema-merge/lib/array": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      "fast-uri": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      "markdown-to-jsx/react": "./lib/schema-form/rjsf-plain.tsx",
      "fast-equals": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      "./omitExtraData.js": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      "./toPathSchema.js": { browser: "./lib/schema-form/rjsf-plain.tsx" },
      // rjsf's own fields, widgets and templates, which a planned form never renders.
      "../getDefaultRegistry.js": "./lib/schema-form/rjsf-registry.ts",
      // Parts of packages that every page, or Ctrl K, would load, and that the console does not use.
      "../../../lib/constants": { browser: "./lib/browser/next/constants.ts" },
      "../../../../lib/constants": { browser: "./lib/browser/next/constants.ts" },
      "./builtin/global-error": { browser: "./lib/browser/next/global-error.tsx" },
      "../components/builtin/global-error": { browser: "./lib/browser/next/global-error.tsx" },
      "../build/polyfills/polyfill-module": { browser: "./lib/browser/next/nothing.ts" },
      "@radix-ui/react-dialog": { browser: "./lib/browser/no-dialog.ts" },
      "./mutationCache.js": { browser: "./lib/browser/no-mutations.ts" },
      "next/dist/compiled/process": { browser: "./lib/browser/next/process.ts" },
      // The same parsers again: the browser already has them from "nuqs".
      "nuqs/server": { browser: "nuqs" },
      typebox: { browser: "./lib/browser/schemaless.ts" },
    },
  },
};

export default config;
