/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Next would otherwise write files into the checkout and stop builds with reminders.
  agentRules: false,
  experimental: { agentUpgrade: false },
  // Media comes from the gateway by signed URL; the image optimiser would copy private files into a cache.
  images: { unoptimized: true },
  turbopack: {
    resolveAlias: {
      // rjsf renders descriptions with 30 kB of markdown; ours are plain text.
      "markdown-to-jsx/react": "./lib/schema-form/markdown-plain.tsx",
    },
  },
};

export default config;
