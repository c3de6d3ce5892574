import { expect, it } from "vitest";
import { inEnglish } from "./chinese.ts";

it.each([
  ["今天", "today"],
  ["昨天", "yesterday"],
  ["前天", "day before yesterday"],
  ["3小时前", "3 hour ago"],
  ["30 分钟之前", "30 minute ago"],
  ["两周前", "2 week ago"],
  ["2个月前", "2 month ago"],
  ["过去24小时", "last 24 hour"],
  ["本周", "this week"],
  ["上周", "last week"],
  ["上个月", "last month"],
  ["今年", "this year"],
  ["周三", "wednesday"],
  ["上周二", "last tuesday"],
  ["上周二 14:00 到 15:00", "last tuesday 14:00 to 15:00"],
  ["昨天下午2点到3点半", "yesterday 2:00 pm to 3:30"],
  ["昨天上午", "yesterday morning"],
  ["11月24日", "24 nov"],
  ["11 月 24 日", "24 nov"],
  ["2026年11月24日", "2026-11-24"],
  ["11月20日至11月22日", "20 nov to 22 nov"],
  ["昨天之前", "before yesterday"],
  ["自昨天起", "since yesterday"],
  ["yesterday", "yesterday"],
])("%s is %s", (chinese, english) => expect(inEnglish(chinese)).toBe(english));
