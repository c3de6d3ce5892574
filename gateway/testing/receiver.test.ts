import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { expect, inject, it } from "vitest";
import { makeAuthority } from "./certificates.ts";
import { startReceiver } from "./receiver.ts";

it("receives over TLS from a sender that trusts its authority, and from no other", async () => {
  const authority = await makeAuthority(inject("testServer").folder);
  const receiver = await startReceiver(authority.local);
  const dispatcher = new Agent({ connect: { ca: readFileSync(authority.caFile, "utf8") } });
  const answer = await request(`${receiver.url}/hook`, { method: "POST", body: '{"a":1}', dispatcher });
  expect(answer.statusCode).toBe(204);
  expect(await receiver.next((one) => one.path === "/hook")).toMatchObject({
    method: "POST",
    body: '{"a":1}',
  });
  await expect(request(receiver.url)).rejects.toThrow(/certificate/);
  await dispatcher.close();
  await receiver.close();
});
