import { expect, it } from "vitest";
import { endpointAddress, shortAddress } from "./endpoint-address.ts";

it("names host and path", () => {
  expect(endpointAddress("https://hooks.example.com/a/?token=1")).toBe("hooks.example.com/a");
});

it("cuts a long address in the middle, so that host and end can be read", () => {
  const address = shortAddress(`https://hooks.example.com/${"a".repeat(2900)}/gatehouse`);
  expect(address).toMatch(/^hooks\.example\.com\/a+…a+\/gatehouse$/);
  expect([...address]).toHaveLength(96);
  expect(shortAddress("https://hooks.example.com/gatehouse")).toBe("hooks.example.com/gatehouse");
});
