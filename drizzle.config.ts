import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./gateway/platform/database/schema.ts",
  out: "./gateway/platform/database/migrations",
});
