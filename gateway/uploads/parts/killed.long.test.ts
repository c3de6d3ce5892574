import { it } from "vitest";
import { killWhileSending } from "../testing/kill-uploads.ts";
import { MiB } from "../testing/resume.ts";

it.each(["disk", "s3"] as const)(
  "an upload of ten times the size goes on after ten kills, with the %s store",
  (kind) => killWhileSending(kind, 400 * MiB, 10),
  900_000,
);
