import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { deploymentLook } from "./breaker.ts";

const [earlier, later] = ["2026-11-22T16:00:00.000Z", "2026-11-22T16:05:00.000Z"];
const look = (
  success: string | null,
  failedAt: string | null,
  status: "healthy" | "unhealthy" = "healthy",
  errors = 0,
) =>
  deploymentLook(english("operatorHealth"), {
    errors,
    breaker: { status, open_until: null },
    last_success_at: success,
    last_failure: failedAt === null ? null : { at: failedAt, code: "upstream_error", message: "HTTP 401" },
  }).label;

it("shows a deployment as healthy only if its last call succeeded", () => {
  expect(look(later, earlier)).toBe("Healthy");
  expect(look(later, earlier, "healthy", 1)).toBe("Some errors");
  expect(look(earlier, later)).toBe("Failing");
  expect(look(null, later)).toBe("Failing");
  expect(look(null, null)).toBe("Not used yet");
  expect(look(later, null, "unhealthy")).toBe("Unhealthy");
});
