import { expect, test } from "vitest";
import { endpointAddress } from "./endpoint-address.ts";

test.each([
  ["https://example.com/hooks/a?token=1", "example.com/hooks/a"],
  ["https://example.com/", "example.com"],
  ["https://example.com:8443/b/", "example.com:8443/b"],
  ["nonsense", "nonsense"],
])("%s is told apart as %s", (url, address) => {
  expect(endpointAddress(url)).toBe(address);
});
