import { expect, it } from "vitest";
import { providerKeyRates } from "#contract/operator/constants.ts";
import { numberProblem } from "@/components/ui/form/bound-fields";
import { english } from "@/scripts/testing/english";
import { keyNameProblem, newKeyOf, newRow, sharesSentence } from "./key-shares.ts";

it("describes in percent which part of the calls each key gets", () => {
  expect(sharesSentence(english("providers"), [{ name: "main", share: "" }])).toBe("All calls use this key.");
  const several = sharesSentence(english("providers"), [
    { name: "main", share: "3" },
    { name: "second", share: "" },
    { name: "spare", share: "0" },
  ]);
  expect(several).toContain("main gets 75 %, second gets 25 %.");
  expect(several).toContain("spare is used only when no other key is available.");
});

it("sends a new key, or its place, and for a stored key only its limits", () => {
  const row = { ...newRow([]), secret: " sk-1 ", share: "3", perMinute: "60" };
  expect(newKeyOf(row)).toEqual({ name: "main", key: "sk-1", share: 3, per_minute: 60 });
  expect(newKeyOf({ ...row, secret: "env:GATEHOUSE_KEY_A", share: "", perMinute: "" })).toEqual({
    name: "main",
    ref: "env:GATEHOUSE_KEY_A",
  });
  expect(newKeyOf({ ...row, stored: "ends in 0001", concurrency: "2" })).toEqual({
    name: "main",
    share: 3,
    per_minute: 60,
    concurrency: 2,
  });
});

it("gives each key another name, and accepts only whole numbers", () => {
  const first = newRow([]);
  expect(newRow([first]).name).toBe("key 2");
  expect(keyNameProblem(english("providers"), "Main", ["main"])).toContain("Another key");
  expect(keyNameProblem(english("providers"), "-", [])).toContain("Use letters");
  expect(keyNameProblem(english("providers"), "Team B", ["main"])).toBe(true);
  const { share, per_minute: perMinute } = providerKeyRates;
  expect(numberProblem(english("ui"), "", perMinute)).toBe(true);
  expect(numberProblem(english("ui"), "0", perMinute)).toContain("from 1 to 1,000,000");
  expect(numberProblem(english("ui"), "1.5", share)).toContain("whole number");
  expect(numberProblem(english("ui"), "1001", share)).toContain("from 0 to 1,000");
});
