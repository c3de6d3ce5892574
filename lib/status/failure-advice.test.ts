import { describe, expect, it } from "vitest";
import { errorCodes } from "#contract/error.ts";
import { languageCodes } from "../../messages/languages.ts";
import { type GatewayFailure, localFailure } from "../gateway/result.ts";
import { failureAdvice } from "./failure-advice.ts";
import { detailText, fieldWords, loadFailureWords } from "./failure-words.ts";

const english = await loadFailureWords("en");
const chinese = await loadFailureWords("zh-CN");
const refused = (code: GatewayFailure["code"], status = 400, message = "It is on the list.") => ({
  ...localFailure(code, message),
  status,
});

it("offers to sign in on the same page", () => {
  const { signsIn, action } = failureAdvice(localFailure("signed_out", "Your session has ended."), english);
  expect([signsIn, action]).toEqual([true, undefined]);
});

it("advises how to fix a refused input, not only that a request failed", () => {
  expect(failureAdvice(refused("password_too_common"), english)).toMatchObject({
    title: "Choose a stronger password",
    advice: "It is on the list.",
  });
  expect(failureAdvice(refused("invalid_parameter"), english)).toEqual({
    title: "Check your input",
    advice: "It is on the list.",
    original: null,
  });
  const slowed = { ...refused("rate_limit_exceeded", 429), retryAfterSeconds: 7 };
  expect(failureAdvice(slowed, english)).toMatchObject({
    title: "Too many requests",
    advice: "Wait 7 s, then try again. It is on the list.",
    action: { label: "About limits" },
  });
});

describe.each(languageCodes.filter((language) => language !== "en"))("in %s", async (language) => {
  const words = await loadFailureWords(language);

  it("every code of the contract and of the console has its sentence", () => {
    const own = [
      "signed_out",
      "offline",
      "console_renewed",
      "passkey_failed",
      "console_error",
      "empty_file",
      "file_too_large",
    ];
    const lacking = [...errorCodes, ...own].filter((code) => !words.texts[`${code}Advice`]);
    expect(lacking).toEqual([]);
  });

  it("lacks no message of English, and has no sentence of an unknown code", () => {
    expect(Object.keys(english.texts).filter((key) => !words.texts[key])).toEqual([]);
    const known = new Set([...errorCodes.map((code) => `${code}Advice`), ...Object.keys(english.texts)]);
    const ofConsole =
      /^(keyword_|role_)|^(another_file|canceled|passkey_failed|console_error|empty_file|file_too_large|invalid_file|unreadable_file|not_found|paused)Advice$/;
    const others = Object.keys(words.texts).filter((key) => !known.has(key) && !ofConsole.test(key));
    expect(others).toEqual(
      ["empty", "blank", "notAccepted", "rolesWithIt"].filter((key) => words.texts[key]),
    );
  });
});

it("says in Chinese what to do, and keeps what the gateway said", () => {
  expect(failureAdvice(refused("alias_exists", 409, "Somebody took it."), chinese)).toEqual({
    title: "网关不接受此操作",
    advice: "已有同名的别名。请换一个名称。",
    original: "Somebody took it.",
  });
  const role = { path: "", keyword: "role", message: "owners can", role: "owner" as const };
  const members = [{ id: "usr_1", name: "Ada" }];
  const failure = { ...refused("role_not_allowed", 403), details: [{ ...role, members }] };
  expect(failureAdvice(failure, chinese).advice).toBe(
    "请让有此权限的成员来完成。有此权限的角色：所有者（Ada）。",
  );
});

it("says what is wrong with a field by its keyword", () => {
  const text = (keyword: string, message: string) => detailText(chinese, { path: "/n", keyword, message });
  expect(text("maximum", "must be at most 10.5")).toBe("不能大于 10.5");
  expect(text("enum", 'must be one of "low", "high"')).toBe('必须是以下之一："low", "high"');
  expect(text("minLength", "must not be empty")).toBe("不能为空");
  expect(text("row", "is odd")).toBe("is odd");
  expect(detailText(english, { path: "/n", keyword: "maximum", message: "must be at most 3" })).toBe(
    "must be at most 3",
  );
});

it("says beside a field what its code or its rule means, else what the gateway said", () => {
  const said = (code: string, keyword?: string) =>
    fieldWords(chinese, {
      code,
      message: "Must be at most 5.",
      details: keyword ? [{ path: "/n", keyword, message: "must be at most 5" }] : [],
    });
  expect(said("alias_exists")).toBe("已有同名的别名。请换一个名称。");
  expect(said("invalid_parameter", "maximum")).toBe("不能大于 5。");
  expect(said("invalid_parameter")).toBe("网关不接受这个值（Must be at most 5.）");
  expect(fieldWords(english, { code: "invalid_parameter", message: "No.", details: [] })).toBe("No.");
});
