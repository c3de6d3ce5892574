import { expect, test } from "vitest";
import { signatureHeaders, signingKey, svcSignature } from "./sign.ts";

const message = {
  eventId: "evt_01J",
  timestamp: 1_760_000_000,
  body: '{"id":"evt_01J","type":"prediction.succeeded","data":{"id":"pred_1","status":"succeeded"}}',
  keys: [signingKey("whsec_test_3f9c1d0a")],
};

test("signs the vector of the contract", () => {
  expect(svcSignature(message)).toBe(
    "t=1760000000,v1=b737aa740667ffdb0ab4e89da493dbdf929105c49964e1664c23e4902aa9db02",
  );
});

test("signs with every valid secret, in both formats", () => {
  const headers = signatureHeaders({ ...message, keys: [...message.keys, signingKey("whsec_b2xk")] });
  expect(headers["x-svc-signature"]).toMatch(/^t=1760000000,v1=b737aa74[0-9a-f]{56},v1=[0-9a-f]{64}$/);
  expect(headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  expect(headers["webhook-id"]).toBe("evt_01J");
  expect(headers["webhook-timestamp"]).toBe("1760000000");
});
