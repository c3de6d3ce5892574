import { expect, it } from "vitest";
import { endpointAddress, shortAddress } from "./addresses.ts";

it("shows host and path", () => {
  expect(endpointAddress("https://hooks.example.com/a/?token=1")).toBe("hooks.example.com/a");
});

it("cuts a long address in the middle, so that host and end stay readable", () => {
  const { text, isCut } = shortAddress(`https://hooks.example.com/${"a".repeat(2900)}/gatehouse`, 60);
  expect(text).toMatch(/^hooks\.example\.com\/a+…a+\/gatehouse$/);
  expect([...text]).toHaveLength(60);
  expect(isCut).toBe(true);
  const short = shortAddress("https://hooks.example.com/gatehouse", 60);
  expect(short).toEqual({ text: "hooks.example.com/gatehouse", isCut: false });
});
