import { expect, it } from "vitest";
import { described } from "#contract/resources.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import zhCn from "../../messages/zh-CN/apart/codes.ts";
import zhCnEvents from "../../messages/zh-CN/apart/event-types.ts";
import { codeLabel, codeLabels, eventDescription } from "./code-labels.ts";

const english = new Map<string, string>(
  described().flatMap(([, { audit = {}, permissions = {} }]) => [
    ...Object.entries(audit),
    ...Object.entries(permissions).map(([code, { label }]) => [code, label] as [string, string]),
  ]),
);

it("every action of the audit log and every permission has a Chinese label, and nothing else has", () => {
  expect(english.size).toBeGreaterThan(150);
  expect([...english.keys()].filter((code) => !Object.hasOwn(zhCn, code))).toEqual([]);
  expect(Object.keys(zhCn).filter((code) => !english.has(code))).toEqual([]);
});

it("shows the contract's label in English, and for codes of a later release", () => {
  expect(codeLabel("en", "key.created", "Key created")).toBe("Key created");
  expect(
    codeLabels(
      "zh-CN",
      new Map([
        ["key.created", "Key created"],
        ["x.y", "New"],
      ]),
    ),
  ).toEqual(
    new Map([
      ["key.created", "创建密钥"],
      ["x.y", "New"],
    ]),
  );
});

it("every type of event has a Chinese description, and nothing else has", () => {
  expect(Object.keys(zhCnEvents).sort()).toEqual([...eventTypes].sort());
  expect(eventDescription("zh-CN", "member.joined", "Somebody joined the account.")).toBe("有人加入了账户。");
  expect(eventDescription("en", "member.joined", "Somebody joined.")).toBe("Somebody joined.");
  expect(eventDescription("zh-CN", "x.y", "New.")).toBe("New.");
});
