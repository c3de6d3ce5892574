import { pino } from "pino";
import { expect, it } from "vitest";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { DrizzleQueryError } from "./drizzle.ts";
import { messageWithoutParameters, serializeError } from "./failed-query.ts";

const cause = Object.assign(new Error("unsupported Unicode escape sequence"), {
  code: "22P05",
  detail: "Key (email)=(secret@example.com)",
});
const failed = new DrizzleQueryError("select $1", ["secret@example.com\n    at secret"], cause);

/** The single line logged for `err`, and the error parsed from that line. */
function logged(err: unknown): { line: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  const log = pino(
    { serializers: { err: serializeError } },
    { write: (line: string) => void lines.push(line) },
  );
  log.error({ err }, "request failed");
  const [line = ""] = lines;
  return { line, err: JSON.parse(line).err };
}

it("logs only the database's message, code and stack for a failed query", () => {
  const { line, err } = logged(failed);
  expect(line).not.toMatch(/secret|select/);
  expect(err).toMatchObject({ message: cause.message, code: "22P05" });
  expect(err.stack).toContain("failed-query.test.ts");
});

it("omits the parameters when the failed query is a cause", () => {
  const { line, err } = logged(new TypeError("could not save", { cause: failed }));
  expect(line).not.toMatch(/secret|select/);
  expect(err.message).toBe(`could not save: ${cause.message}`);
});

it("logs other errors unchanged", () => {
  expect(logged(new RangeError("too far", { cause: new Error("why") })).err).toMatchObject({
    type: "RangeError",
    message: "too far: why",
  });
  expect(logged("a text").err).toBe("a text");
});

it("shows people the message of the cause", () => {
  expect(messageWithoutParameters(failed)).toBe(cause.message);
  expect(messageWithoutParameters(new Error("plain"))).toBe("plain");
  expect(messageWithoutParameters("text")).toBe("text");
});

it("logs a refusal without a stack, and without what a person sent", () => {
  const refused = logged(
    new ProviderError("invalid_parameter", "There is no voice my-secret-voice.", {
      started: "no",
      cause: new Error("my-secret-voice"),
    }),
  );
  expect(refused.line).not.toMatch(/secret-voice/);
  expect(refused.err).toEqual({ type: "ProviderError", code: "invalid_parameter", started: "no" });
  const away = logged(
    new ProviderError("upstream_error", "The upstream answered 502.", { cause: new Error("ECONNREFUSED") }),
  );
  const quiet = new ApiError("service_unavailable", "It is quiet.", { cause: new Error("why") });
  expect(logged(quiet).err).toEqual({
    type: "ApiError",
    code: "service_unavailable",
    message: "It is quiet.",
    cause: "why",
  });
  expect(away.err).toEqual({
    type: "ProviderError",
    code: "upstream_error",
    message: "The upstream answered 502.",
    cause: "ECONNREFUSED",
    started: "unknown",
  });
});
