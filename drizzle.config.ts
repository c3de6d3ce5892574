import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./gateway/database/schema.ts",
  out: "./gateway/database/migrations",
});
