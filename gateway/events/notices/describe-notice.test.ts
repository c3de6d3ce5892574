import { expect, it } from "vitest";
import { noticeCauses } from "#contract/notice-constants.ts";
import { reportReasonLabels } from "#contract/share-constants.ts";
import { deliveryErrorLabels } from "#contract/webhook-constants.ts";
import { languageCodes } from "#messages/languages.ts";
import { describeInMessage, describeNotice, linesOf, messageWords, timeText } from "./describe-notice.ts";

const english = await messageWords("causes", "en");
const chinese = await messageWords("causes", "zh-CN");

it.each(languageCodes)("every cause has its words in %s, with few facts too", async (language) => {
  const t = await messageWords("causes", language);
  for (const cause of noticeCauses)
    for (const count of [1, 3]) {
      const { title, text } = describeNotice({ cause, subjectId: "x_1", data: {}, count }, t);
      expect([cause, title, text].join(" ")).not.toMatch(/undefined|null|NaN|[{}]/);
    }
  for (const code of [...Object.keys(deliveryErrorLabels), ...Object.keys(reportReasonLabels)])
    expect(t.has(code), code).toBe(true);
});

it("says why an attempt failed as the contract labels it", () => {
  for (const [code, label] of Object.entries({ ...deliveryErrorLabels, ...reportReasonLabels }))
    expect((english as (key: string) => string)(code).toLowerCase(), code).toBe(label.toLowerCase());
});

it("writes dates and numbers by the language", () => {
  const at = "2026-11-24T07:00:00Z";
  expect([timeText(at, "en"), timeText(at, "zh-CN")]).toEqual([
    "24 Nov 2026, 07:00 UTC",
    "2026 年 11 月 24 日 07:00 UTC",
  ]);
  const data = { url: "https://r.example/hooks/secret?x=1", error: "dns_error" };
  const item = { cause: "delivery.exhausted" as const, subjectId: "ep_1", data, count: 1200 };
  expect(describeInMessage(item, chinese)).toEqual({
    title: "1,200 个事件未能投递到 r.example",
    text: "所有尝试均失败，最后一次的原因：找不到主机。系统不会再自动发送，请手动重试。",
    path: "/webhooks/deliveries?endpoint_id=ep_1&status=dead-letter",
  });
  const named = { ...item, data: { ...data, description: "账务系统" } };
  expect(describeInMessage(named, chinese).title).toBe("1,200 个事件未能投递到账务系统（r.example）");
  expect(describeInMessage(named, english).title).toBe(
    "1,200 events could not be delivered to 账务系统 (r.example)",
  );
  const failing = { ...item, cause: "endpoint.failing" as const };
  const { lines } = linesOf({ items: Array(5).fill(failing), more: 0, causes: [] }, chinese);
  expect(lines).toMatchObject([
    { title: "5 个 Webhook 端点投递失败，其中包括 r.example、r.example、r.example" },
  ]);
});

it("says whose requests use the processor, in each language", () => {
  const title = (subjectId: string, t: typeof english) =>
    describeNotice({ cause: "load.high", subjectId, data: { account: "Loud" }, count: 1 }, t).title;
  expect(["", "*", "acct_1"].map((id) => title(id, english))).toEqual([
    "Requests without a key use most of the processor time",
    "Many small accounts use most of the processor time",
    "Loud uses most of the processor time",
  ]);
  expect(["", "acct_1"].map((id) => title(id, chinese))).toEqual([
    "没有密钥的请求占用了大部分处理器时间",
    "账户“Loud”占用了大部分处理器时间",
  ]);
});
