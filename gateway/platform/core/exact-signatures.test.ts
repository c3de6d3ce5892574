import { createSign, createVerify, generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeToken } from "#gateway/access/accounts/oidc/signed-token.ts";
import { fileUrl, inputKey, keyOfOwnUrl } from "#gateway/files/storage/signed-urls.ts";
import { checkReceipt } from "#gateway/runs/provenance/receipts/receipts.ts";
import { sealedTexts } from "#gateway/runs/responses/sealed-text.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { readClientAddress, signClientAddress } from "./trusted-proxies.ts";

let receipt: string;
const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  const { body } = await call(gateway, account.key, "POST", "/responses", {
    model: "svc/chat-1",
    input: "Hi",
  });
  const headers = { authorization: `Bearer ${account.key}` };
  receipt = await (await fetch(`${gateway.url}/responses/${body.id}/receipt`, { headers })).text();
});

/** Whether the text is accepted; an error is a refusal. */
const accepted = async (check: () => unknown) => {
  try {
    return Boolean(await check());
  } catch {
    return false;
  }
};

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const dsaEncoding = "ieee-p1363";
const claims = [{ alg: "ES256" }, { sub: "a" }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

/** Every place where a signature, or a text that only this installation could have sealed, comes from outside. */
const places: Record<string, { make: () => string; check: (text: string) => unknown }> = {
  "a receipt": {
    make: () => /"value":"([^"]*)"/.exec(receipt)?.[1] ?? "",
    check: async (value) => {
      const bytes = Buffer.from(receipt.replace(/"value":"[^"]*"/, `"value":"${value}"`));
      const found = await checkReceipt(gateway.context, {
        sizeBytes: bytes.length,
        bytes: async () => bytes,
      });
      return found?.state === "valid";
    },
  },
  "a token of the identity provider": {
    make: () => createSign("sha256").update(claims).sign({ key: pair.privateKey, dsaEncoding }, "base64url"),
    check: (signature) => {
      const { signature: bytes = Buffer.alloc(0) } = decodeToken(`${claims}.${signature}`) ?? {};
      return createVerify("sha256").update(claims).verify({ key: pair.publicKey, dsaEncoding }, bytes);
    },
  },
  "a sealed thought": {
    make: () => sealedTexts(gateway.context, account.accountId).seal("thought", "{}"),
    check: (sealed) => sealedTexts(gateway.context, account.accountId).open("thought", sealed, "signature"),
  },
  "a signed URL": {
    make: () =>
      fileUrl(gateway.context, inputKey(`uploads/upl_${"0".repeat(26)}/${"0".repeat(16)}`), {
        expiresAt: new Date(Date.now() + 60_000),
      }),
    check: (url) => keyOfOwnUrl(gateway.context, url),
  },
  "the address of a browser": {
    make: () => signClientAddress("secret", "192.0.2.1"),
    check: (text) => readClientAddress(["secret"], text),
  },
};

describe.each(Object.entries(places))("%s", (_name, { make, check }) => {
  it("is accepted as it was made, and with nothing after it", async () => {
    const text = make();
    expect(await accepted(() => check(text))).toBe(true);
    for (const more of ["=", "==", "A", "AA", "AAAA", "==AA", "=AAAA", ".AA"])
      expect([more, await accepted(() => check(text + more))]).toEqual([more, false]);
  });
});
