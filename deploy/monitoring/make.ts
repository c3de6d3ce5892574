// Writes rules.yml and dashboard.json: node deploy/monitoring/make.ts
import { writeFileSync } from "node:fs";
import path from "node:path";
import { rulesFile, usual } from "./alarms.ts";
import { dashboardFile } from "./dashboard.ts";

export const files = { "rules.yml": rulesFile(usual), "dashboard.json": dashboardFile() };

if (import.meta.main)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(import.meta.dirname, name), text);
