import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { fillSignIn } from "./pages/sign-in.ts";

/** Texts of a page with a word of Latin letters, except names. */
const english = /\b(?!Gatehouse|English|Cookie|Company login|login)[a-z]{3,}/i;

test("a visitor whose browser asks for Chinese gets it, chooses English, and loses nothing that was typed", async ({
  browser,
  stack,
}) => {
  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl, locale: "zh-CN" });
  const page = await context.newPage();
  for (const path of ["/forgot", "/reset", "/email", "/invite", "/reset#unknown", "/sign-in"]) {
    await page.goto(path);
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page.getByRole("combobox", { name: "语言" })).toHaveValue("zh-CN");
    // biome-ignore lint/performance/useDomNodeTextContent: the text of scripts is not read.
    const text = await page.evaluate(() => `${document.title}\n${document.body.innerText}`);
    expect(text.split("\n").filter((line) => english.test(line))).toEqual([]);
    await expectAccessible(page);
  }
  const email = page.getByRole("textbox", { name: "邮箱" });
  await email.fill("nobody@example.com");
  await page.locator("input[name=password]").fill("wrong horse battery");
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.getByText("邮箱或密码错误。")).toBeVisible();
  await page.getByRole("combobox", { name: "语言" }).selectOption("English");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue("nobody@example.com");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await context.close();
});

test("a member whose browser asks for Chinese changes the language in the account menu, and loses nothing that was typed", async ({
  browser,
  ownerState,
  ownerApi,
  stack,
}) => {
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: stack.consoleUrl,
    locale: "zh-CN",
  });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("heading", { level: 1, name: "首页" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox");
  for (const words of ["密钥", "api key"]) {
    await palette.fill(words);
    await expect(page.getByRole("option", { name: "密钥", exact: true })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await page.goto("/settings/profile");
  const typed = page.locator("main input[name=name]");
  await typed.fill("heliotrope");
  await page.getByRole("button", { name: "个人资料与设置" }).click();
  await page.getByRole("menuitem", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your profile" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(typed).toHaveValue("heliotrope");
  await expect
    .poll(async () => (await (await ownerApi.send("GET", "/account/profile")).json()).language)
    .toBe("en");
  await ownerApi.send("PATCH", "/account/profile", { language: null });
  await context.close();
});

test("a person's language follows them to another browser, with failures in it", async ({
  browser,
  ownerApi,
  stack,
}) => {
  const person = { email: `words-${Date.now()}@example.com`, password: "four plain words here" };
  const { token } = await ownerApi.post("/account/invitations", { email: person.email, role: "member" });
  const accept = { token, name: "Li", password: person.password };
  await new GatewayApi(stack.gatewayUrl, "").post("/account/invitations/accept", accept);
  const open = async () => {
    const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl, locale: "en-US" });
    const page = await context.newPage();
    await page.goto("/sign-in?from=/settings/profile");
    await fillSignIn(page, person);
    return page;
  };
  const first = await open();
  await first.getByRole("combobox", { name: "Language" }).selectOption("简体中文");
  await expect(first.locator("html")).toHaveAttribute("lang", "zh-CN");
  const second = await open();
  await expect(second.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(second.getByRole("combobox", { name: "语言" })).toHaveValue("zh-CN");
  await second.getByRole("combobox", { name: "语言" }).selectOption({ label: "跟随浏览器" });
  await expect(second.locator("html")).toHaveAttribute("lang", "en");
  await first.context().close();
  await second.context().close();
});
