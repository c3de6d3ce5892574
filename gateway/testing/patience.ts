import { vi } from "vitest";

/** As that of `expect.poll` in `vitest.config.ts`. */
const timeout = 60_000;

const { waitFor, waitUntil } = vi;

const patient = (options: Parameters<typeof waitFor>[1]) =>
  typeof options === "number" ? options : { timeout, ...options };

// The runner has no setting for these two, and their second is too short on a busy machine. Files share a
// process, in which this must happen once.
if (waitFor.name !== "patientWaitFor") {
  vi.waitFor = function patientWaitFor(callback, options) {
    return waitFor(callback, patient(options));
  };
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
}
