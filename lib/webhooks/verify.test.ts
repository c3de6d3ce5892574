import { describe, expect, it } from "vitest";
import { english } from "../../scripts/testing/english.ts";
import { hmacSha256, toHex, verifyDelivery } from "./verify.ts";

const words = english("webhooks");
const secret = "whsec_test_3f9c1d0a";
const t = 1_760_000_000;
const payload = '{"id":"evt_01J","type":"prediction.succeeded","data":{"id":"pred_1","status":"succeeded"}}';
const signature = "b737aa740667ffdb0ab4e89da493dbdf929105c49964e1664c23e4902aa9db02";
const header = `t=${t},v1=${signature}`;
const nowMs = (t + 12) * 1000;
const good = { payload, header, secret, nowMs };

async function failing(change: Partial<typeof good>) {
  const report = await verifyDelivery({ ...good, ...change }, words);
  expect(report.valid).toBe(false);
  const failed = report.checks.find((check) => check.state === "fail");
  return `${failed?.name}: ${failed?.text}`;
}

describe("verifyDelivery", () => {
  it("accepts the contract's test vector", async () => {
    const report = await verifyDelivery(good, words);
    expect(report.checks.map((check) => check.state)).toEqual(["pass", "pass", "pass"]);
    expect(report.valid).toBe(true);
  });

  it("accepts either signature while a rotated secret is still valid", async () => {
    const other = "0".repeat(64);
    expect(
      (await verifyDelivery({ ...good, header: `t=${t},v1=${other},v1=${signature}` }, words)).valid,
    ).toBe(true);
  });

  it("accepts a pasted header line with its name", async () => {
    expect((await verifyDelivery({ ...good, header: `X-Svc-Signature: ${header}\n` }, words)).valid).toBe(
      true,
    );
  });

  it("reports when libraries would refuse spaces in the header", async () => {
    const report = await verifyDelivery({ ...good, header: `t=${t}, v1=${signature}` }, words);
    expect(report.notes.join()).toContain("spaces");
  });

  it.each([
    ["a stale timestamp", { nowMs: (t + 301) * 1000 }, "Timestamp: Too old"],
    ["a future timestamp", { nowMs: (t - 301) * 1000 }, "Timestamp: In the future"],
    ["milliseconds", { header: `t=${t}000,v1=${signature}` }, "Header: The timestamp is in milliseconds"],
    [
      "capital hex",
      { header: `t=${t},v1=${signature.toUpperCase()}` },
      "Header: The signature is in upper case",
    ],
    ["a cut signature", { header: header.slice(0, -3) }, "has 61 characters instead of 64"],
    ["no t", { header: `v1=${signature}` }, "Header: The t= part is missing"],
    ["no v1", { header: `t=${t}` }, "Header: The v1= part is missing"],
    ["the other dialect", { header: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=" }, "Standard Webhooks"],
    ["an empty header", { header: " " }, "Header: The header is empty"],
    ["a spaced secret", { secret: ` ${secret}\n` }, "extra spaces or a line break"],
    ["a quoted secret", { secret: `"${secret}"` }, "wrapped in quotes"],
    ["a secret without its prefix", { secret: secret.slice(6) }, "is missing its prefix"],
    ["an API key", { secret: "svc_live_abc" }, "not a signing secret"],
    ["another secret", { secret: "whsec_other" }, "belongs to another endpoint"],
    ["a body with a line break", { payload: `${payload}\n` }, "extra spaces or a line break"],
    ["a pretty body", { payload: JSON.stringify(JSON.parse(payload), null, 2) }, "reformatted"],
    ["a changed value", { payload: payload.replace("pred_1", "pred_2") }, "or the body was changed"],
    ["half a body", { payload: payload.slice(0, 40) }, "not complete JSON"],
    ["no body", { payload: "" }, "The body is empty"],
    ["no secret", { secret: "" }, "The secret is missing"],
  ])("explains %s", async (_name, change, words) => {
    expect(await failing(change)).toContain(words);
  });

  it("recognises a signature made with the key of Standard Webhooks", async () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
    const real = `whsec_${btoa(String.fromCharCode(...bytes))}`;
    const made = toHex(await hmacSha256(bytes, `${t}.${payload}`));
    expect(await failing({ secret: real, header: `t=${t},v1=${made}` })).toContain("decoded secret");
  });
});
