import { it } from "vitest";
import { killWhileSending } from "../testing/kill-uploads.ts";
import { MiB } from "../testing/resume.ts";

it.each(["disk", "s3"] as const)(
  "an upload goes on after its process was killed, with the %s store",
  (kind) => killWhileSending(kind, 40 * MiB, 2),
  300_000,
);
