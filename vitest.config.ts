import path from "node:path";
import { defineConfig } from "vitest/config";

const alias = {
  "@": path.resolve(import.meta.dirname),
  "server-only": path.resolve(import.meta.dirname, "scripts/testing/server-only.ts"),
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          environment: "happy-dom",
          include: ["{contract,lib,components,app,scripts}/**/*.test.{ts,tsx,mjs}"],
        },
      },
      {
        resolve: { alias },
        test: {
          name: "gateway",
          environment: "node",
          include: ["gateway/**/*.test.ts"],
          globalSetup: ["gateway/testing/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
