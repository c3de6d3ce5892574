import { describe, expect, it } from "vitest";
import { allowedPath, mayRead } from "./allow-list.ts";

const path = (method: string, address: string) => allowedPath(method, address.slice(1).split("/"));

describe("allowedPath", () => {
  it.each([
    ["GET", "/models/svc/chat-1"],
    ["POST", "/chat/completions"],
    ["POST", "/models/svc/vid-t2v/predictions"],
    ["GET", "/predictions/pred_01k9z7m3q4r5s6t7v8w9x0y1z2/events"],
    ["POST", "/uploads"],
    ["DELETE", "/uploads/upl_1"],
    ["POST", "/webhooks/deliveries/retry"],
    ["PATCH", "/conversations/conv_1"],
  ])("passes %s %s on", (method, address) => expect(path(method, address)).toBe(address));

  it("passes on a provider's name in the gateway's form, also with spaces", () => {
    expect(allowedPath("GET", ["operator", "providers", "lab box 2", "models"])).toBe(
      "/operator/providers/lab%20box%202/models",
    );
  });

  it.each([
    ["POST", "/webhooks/endpoints"],
    ["PATCH", "/webhooks/endpoints/we_1"],
    ["DELETE", "/webhooks/endpoints/we_1"],
    ["POST", "/webhooks/endpoints/we_1/rotate_secret"],
    ["POST", "/webhooks/endpoints/we_1/test"],
    ["POST", "/webhooks/deliveries/dlv_1/retry"],
    ["POST", "/predictions/pred_1/cancel"],
    ["POST", "/keys"],
    ["POST", "/keys/key_1/rotate"],
    ["POST", "/account/sessions"],
    ["DELETE", "/account/sessions/current"],
    ["POST", "/account/setup"],
    ["POST", "/account/attestations"],
  ])("leaves %s %s to server actions", (method, address) => expect(path(method, address)).toBeNull());

  it.each([
    ["PUT", "/uploads/upl_1"],
    ["DELETE", "/predictions/pred_1"],
    ["GET", "/openapi.json"],
    ["GET", "/metrics"],
  ])("refuses the unknown route %s %s", (method, address) => expect(path(method, address)).toBeNull());

  it.each([
    [["predictions", ".."]],
    [["predictions", "pred_1/../../keys"]],
    [["predictions", "pred_1?x"]],
    [["predictions", ""]],
    [["predictions", "a%2Fb"]],
  ])("refuses the manipulated path %j", (segments) => expect(allowedPath("GET", segments)).toBeNull());
});

it("offers in the reference only reads that the relay passes on", () => {
  expect(["/v1/predictions/{id}", "/v1/models/{namespace}/{name}"].every(mayRead)).toBe(true);
  expect(["/v1/keys/{id}/rotate", "/v1/openapi.json", "/v1/webhooks/endpoints/{id}/test"].some(mayRead)).toBe(
    false,
  );
});
