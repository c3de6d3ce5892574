// @vitest-environment node
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { refusalOfAction } from "./action-body.ts";

const { encodeReply } = createRequire(import.meta.url)(
  "next/dist/compiled/react-server-dom-turbopack/client.browser",
) as { encodeReply(words: unknown): Promise<string | FormData> };

const statusOf = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const request = new Request("http://localhost/keys", {
    method: "POST",
    headers: { "next-action": "00", ...headers },
    body,
  });
  return (await refusalOfAction(request))?.status ?? null;
};

function report(): FormData {
  const form = new FormData();
  form.set("reason", "other");
  return form;
}
const twice = { a: 1 };

it.each([
  ["nothing", []],
  ["texts", ["POST /keys", { body: { name: "$1 a month" } }, undefined, null]],
  ["dates, large numbers and no numbers", [new Date(0), 10n, Number.NaN, -0, Number.POSITIVE_INFINITY]],
  ["the same object twice", [{ one: twice, other: twice }]],
  ["a form", ["token", null, report()]],
  [
    "maps, sets, bytes and promises",
    [new Map([[1, 2]]), new Set([1]), new Uint8Array(9), Promise.resolve(1)],
  ],
])("a page's call is passed on: %s", async (_name, words) => {
  expect(await statusOf(await encodeReply(words))).toBeNull();
});

const part = (name: string, value: string) => {
  const form = new FormData();
  form.set(name, value);
  return form;
};
const parts = (...values: string[]) => {
  const form = new FormData();
  for (const [at, value] of values.entries()) form.set(String(at), value);
  return form;
};
const boundary = "multipart/form-data; boundary=b";
/** Next answers 500 to each of them, or waits for a field that never comes. */
const malformed: [string, BodyInit, Record<string, string>?][] = [
  ["no body", ""],
  ["no JSON", "["],
  ["no list", "{}"],
  ["null", "null"],
  ["a text", '"a"'],
  ["a field that a text cannot have", '["$1"]'],
  ["a function", '["$F1"]'],
  ["a map without its field", '["$Q2"]'],
  ["a form in a text", '["$K1"]'],
  ["a promise that never ends", '["$@3"]'],
  ["a form without its list", part("1", "[]")],
  ["a form whose list is no JSON", part("0", "[")],
  ["garbage in a field", parts('["$1"]', "[garbage")],
  ["garbage in a map", parts('["$Q1"]', "[garbage")],
  ["garbage in a promise", parts('["$@1"]', "[garbage")],
  ["a text where a file belongs", parts('["$B1"]', "x")],
  ["a path that leads nowhere", '[{"a":1},"$0:5:b"]'],
  ["a path to what every object has", '[{"a":1},"$0:__proto__:x"]'],
  ["a number that is none", '["$nxx"]'],
  ["a form without a boundary", "[]", { "content-type": "multipart/form-data" }],
  [
    "a form that breaks off",
    '--b\r\nContent-Disposition: form-data; name="0"\r\n\r\n[',
    { "content-type": boundary },
  ],
];

it.each(malformed)("a malformed call is refused: %s", async (_name, body, headers = {}) => {
  expect(await statusOf(body, headers)).toBe(400);
});

it("a body above Next's limit is refused before it is parsed", async () => {
  expect(await statusOf(JSON.stringify(["a".repeat(1_048_576)]))).toBe(413);
});

it("other requests are passed on", async () => {
  const get = new Request("http://localhost/keys", { headers: { "next-action": "00" } });
  expect(await refusalOfAction(get)).toBeNull();
  expect(
    await refusalOfAction(new Request("http://localhost/keys", { method: "POST", body: "[" })),
  ).toBeNull();
});
