import { it } from "vitest";
import { killWhileSending } from "../testing/kill-uploads.ts";
import { MiB } from "../testing/resume.ts";

it.concurrent.each(["disk", "s3"] as const)(
  "an upload of 400 MB continues after each of six kills, with the %s store",
  (kind) => killWhileSending(kind, 400 * MiB, 6),
  900_000,
);
