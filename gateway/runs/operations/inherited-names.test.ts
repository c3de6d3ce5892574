import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/** Properties that every ordinary object inherits. */
const inherited = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"];
const refused = "__proto__";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount("adult", "portrait_rights"));

/** Written as JSON text, in which `__proto__` is an ordinary name. */
const bodyWith = (name: string, rest: object): string =>
  `{${JSON.stringify(name)}:1,${JSON.stringify(rest).slice(1)}`;

async function post(path: string, body: string | FormData): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(typeof body === "string" && { "content-type": "application/json" }),
    },
    body,
  });
}

const operations = createCatalog()
  .list()
  .data.flatMap(({ operations }) => operations);

it.each(operations)(
  "$id treats a field named like an inherited property as any unknown field",
  async (operation) => {
    const { model, ...rest } = operation.example as { model: string };
    // A batch check makes the same checks as a run, but runs nothing. Some models cannot run in batches.
    const asked = async (name: string) => {
      const rows = bodyWith(name, { ...rest, [`${name}_`]: 1 });
      const answer = await post(
        "/batches/check",
        `{"model":"${model}","api_type":"${operation.api_type}","rows":[${rows}]}`,
      );
      const body = (await answer.json()) as { ok?: boolean; ignored?: string[]; error?: { code: string } };
      return {
        status: answer.status,
        ok: body.ok,
        code: body.error?.code,
        ignored: body.ignored?.includes(name),
      };
    };
    const usual = await asked("unheard_of");
    for (const name of inherited) expect(await asked(name), name).toEqual(usual);
  },
);

it("a multipart body treats names of inherited properties like any unknown name", async () => {
  for (const name of [...inherited, refused]) {
    const form = new FormData();
    form.set("model", "svc/asr-1");
    form.set(name, "1");
    expect((await post("/audio/transcriptions", form)).status, name).toBe(400);
  }
});

it("queries, filters, batch rows and presets treat names of inherited properties like any unknown name", async () => {
  for (const name of [...inherited, refused]) {
    for (const path of ["/models", "/predictions", "/requests", "/usage", "/webhooks/deliveries"])
      expect((await call(gateway, account.key, "GET", `${path}?${name}=1`)).status, path).toBe(400);
    const row = bodyWith(name, { prompt: "a pine" });
    const check = await post("/batches/check", `{"model":"svc/img-gen-a-1","rows":[${row}]}`);
    expect(check.status).toBeLessThan(500);
    const csv = JSON.stringify({ model: "svc/img-gen-a-1", csv: `prompt,${name}\na pine,1\n` });
    expect((await post("/batches/check", csv)).status).toBeLessThan(500);
    const preset = bodyWith(name, { prompt: "a pine" });
    const made = await post(
      "/presets",
      `{"name":"${name}","model":"svc/img-gen-a-1","api_type":"image-generation","input":${preset}}`,
    );
    expect(made.status, name).toBeLessThan(500);
    const read = await call(gateway, account.key, "GET", `/predictions/${name}`);
    expect(read.status).toBe(404);
    const model = await call(gateway, account.key, "GET", `/models/svc/${name}`);
    expect(model.status).toBe(404);
  }
});
