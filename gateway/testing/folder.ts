import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** A new folder, which is removed after the last test. */
export const newFolder = (name: string): string =>
  mkdtempSync(path.join(inject("testServer").folder, `${name}-`));
