import type { Browser, Locator, Page } from "@playwright/test";
import { startMailServer } from "../../gateway/events/notices/testing/mail-server.ts";
import { startOpenAiServer } from "../../gateway/models/providers/testing/openai-server.ts";
import { startReceiver } from "../../gateway/testing/receiver.ts";
import type { Part } from "../../messages/words.ts";
import { expect, signedOut, test } from "../fixtures.ts";
import { startStack } from "../stack.ts";
import { type CheckedLanguage, LanguageCheck, wordsIn } from "./language-check.ts";
import { isAlive } from "./open-page.ts";

const person = { name: "Ada Lovelace", email: "ada@example.com", password: "difference engine" };
const colleague = { name: "Grace Hopper", email: "grace@example.com", password: "four purple lamps walk" };
const answer = "Blue light scatters most.";
/** What people and examples call their own things, and what the provider answers. */
const ownTexts = [person.name, answer, "Why is the sky blue?", "A lighthouse above a stormy sea"];
/** Words that Chinese takes from English. */
const borrowed = ["JSON", "Token"];
/** The colleague's e-mail is in this language, whichever language the page has. */
const mailLanguage = "zh-CN";

/**
 * Somebody who reads no English sets an installation up, connects a provider, runs a picture through a gate, finds a failed
 * delivery and retries it, sets a budget and invites a colleague. Each page and dialog on the way is checked.
 */
export async function languageJourney(browser: Browser, language: CheckedLanguage): Promise<void> {
  const [openai, mailServer] = [await startOpenAiServer(), await startMailServer()];
  const { stack, stop } = await startStack({
    hasOwner: false,
    settings: {
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(mailServer.port),
      SMTP_SECURITY: "none",
      SMTP_FROM: "Gatehouse <gatehouse@example.com>",
      // A failed delivery waits until the person retries it.
      WEBHOOK_BACKOFF_BASE_MS: "600000",
    },
  });
  const receiver = await startReceiver(stack.certificate, stack.receiverPorts[0]);
  const newPage = async () =>
    (await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl, locale: language })).newPage();
  const page = await newPage();
  const check = new LanguageCheck(page, language, [...ownTexts, ...borrowed]);
  const said = <Of extends Part>(part: Of) => wordsIn(language, part);
  const [fields, steps, providers] = [said("fields"), said("operatorSteps"), said("providers")];
  const [playground, attestations, webhooks] = [said("playground"), said("attestations"), said("webhooks")];
  const [secrets, settings, keys, team] = [said("secrets"), said("settings"), said("keys"), said("team")];
  const open = async (path: string) => {
    await page.goto(path);
    await isAlive(page);
  };
  const button = (name: string, inside: Page | Locator = page) =>
    inside.getByRole("button", { name, exact: true });
  const field = (name: string, inside: Page | Locator = page) =>
    inside.getByRole("textbox", { name }).first();
  const dialog = page.getByRole("dialog");
  try {
    await test.step("sets the installation up", async () => {
      await page.goto(String(stack.setUpLink));
      await expect(field(fields("yourName"))).toBeVisible();
      await isAlive(page);
      await check.look("set-up");
      await field(fields("yourName")).fill(person.name);
      await field(fields("email")).fill(person.email);
      await page.locator("input[name=password]").fill("short");
      await button(said("setUp")("submit")).click();
      await expect(page.getByText(fields("passwordTooShort", { count: 10 }))).toBeVisible();
      await check.look("set-up with a fault");
      await page.locator("input[name=password]").fill(person.password);
      await button(said("setUp")("submit")).click();
      await expect(page.getByRole("heading", { level: 1, name: steps("firstSteps") })).toBeVisible();
      await check.look("first steps");
    });

    await test.step("connects a provider", async () => {
      const presets = said("providerPresets");
      await page.getByRole("link", { name: steps("connect"), exact: true }).click();
      const server = page.getByRole("link", {
        name: presets("anotherServer", { api: presets("api.openai") }),
      });
      await expect(server).toBeVisible();
      await check.look("kinds of providers");
      await server.click();
      await page.getByLabel(providers("apiKey")).first().fill("sk-the-first-key-of-the-day");
      await field(providers("address")).fill(`${openai.origin}/v1`);
      await page.getByRole("checkbox", { name: providers("allowThisPrivateAddress") }).check();
      await field(providers("name")).fill("acme");
      await check.look("new provider");
      await button(providers("saveAndTest")).click();
      await page.getByRole("checkbox", { name: providers("tickId", { id: "small-chat" }) }).check();
      await check.look("models of the provider");
      await button(providers("importModels", { count: 1 })).click();
      await expect(page.getByText(providers("importEnded", { added: 1, failed: 0 }))).toBeVisible();
      await check.look("imported models");
      await page.getByRole("link", { name: steps("continueToAFirstRun") }).click();
      const table = page.getByRole("table", { name: steps("modelsOfTheProvider") });
      await expect(table).toContainText("small-chat");
      const address = page.url();
      await table.getByRole("link").first().click();
      await button(playground("send")).click();
      await expect(page.getByText(answer).last()).toBeVisible();
      await check.look("first run");
      await page.goto(address);
      await expect(page.getByRole("link", { name: steps("backToTheFirstSteps") })).toBeVisible();
      await check.look("connected provider");
    });

    await test.step("runs a picture through a gate", async () => {
      await open("/playground/svc/adult-img-1/image-generation");
      await check.look("gated playground");
      await button(playground("run")).click();
      const tick = dialog.getByRole("checkbox");
      await tick.check();
      await check.look("attestation", "dialog");
      await button(attestations("review"), dialog).click();
      await check.look("review of the attestation", "dialog");
      await button(attestations("recordAttestation"), dialog).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(playground("gates", { state: "open" }))).toBeVisible();
      await check.look("gate passed");
      await button(playground("run")).click();
      const result = page.getByRole("region", { name: playground("result"), exact: true });
      await expect(result.getByRole("img").first()).toBeVisible();
      await check.look("picture");
      await result.getByRole("link", { name: playground("openPrediction") }).click();
      await page.waitForURL(/\/predictions\/pred_/);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("svc/adult-img-1");
      await check.look("prediction");
    });

    await test.step("finds a failed delivery and retries it", async () => {
      receiver.answer((_received, response) => response.writeHead(500).end("the queue is full"));
      await open("/webhooks/endpoints");
      await button(webhooks("addEndpoint")).first().click();
      await field(webhooks("url"), dialog).fill(`${receiver.url}/orders`);
      await check.look("new endpoint", "dialog");
      await button(webhooks("addEndpoint"), dialog).click();
      const stored = dialog.getByRole("checkbox", { name: secrets("iHaveStoredItIn") });
      await expect(stored).toBeVisible();
      await check.look("secret", "dialog");
      await stored.check();
      await button(secrets("done"), dialog).click();
      await page.getByRole("link", { name: /\/orders/ }).click();
      await button(webhooks("sendTestEvent")).click();
      await receiver.next(({ path }) => path === "/orders");
      await open("/webhooks/deliveries");
      await page.getByRole("combobox", { name: webhooks("status"), exact: true }).selectOption("failed");
      await page.waitForURL(/status=failed/);
      await check.look("failed deliveries");
      await page.getByRole("link", { name: "endpoint.test" }).first().click();
      await expect(page.getByRole("region", { name: webhooks("whyItFailed") })).toContainText("500");
      await check.look("failed delivery");
      receiver.answer((_received, response) => response.writeHead(204).end());
      await button(webhooks("retry")).first().click();
      await expect(page.getByRole("heading", { level: 1 })).toContainText(
        said("states")("deliveryDelivered"),
      );
      await check.look("retried delivery");
    });

    await test.step("sets a budget", async () => {
      await open("/settings");
      await button(settings("changeBudgets")).click();
      await field(keys("moneyBudget", { period: "month", kind: "hard" }), dialog).fill("25");
      await check.look("budgets", "dialog");
      await button(keys("saveBudgets"), dialog).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(keys("budgetsChanged"))).toBeVisible();
      await check.look("settings with a budget");
    });

    const link = await test.step("invites a colleague", async () => {
      await open("/settings/team");
      await button(team("invite")).click();
      await field(team("eMail"), dialog).fill(colleague.email);
      await dialog.getByRole("combobox", { name: fields("languageOfMail") }).selectOption(mailLanguage);
      await check.look("invitation", "dialog");
      await button(team("createLink"), dialog).click();
      const shown = dialog.getByRole("textbox", { name: team("link") });
      const url = await shown.inputValue();
      await check.look("link of the invitation", "dialog");
      await button(team("done"), dialog).click();
      await check.look("team");
      return url;
    });

    await test.step("the colleague's e-mail is in her language, and its link lets her in", async () => {
      const mail = await mailServer.next(({ to }) => to.includes(colleague.email));
      const words = wordsIn(mailLanguage, "mail");
      expect(mail.subject).toBe(words("invitation", { by: person.name, account: person.name }));
      const written = mail.text.replaceAll(/https?:\S+|UTC/g, "").replaceAll(person.name, "");
      expect(written).not.toMatch(/[a-z]{2}/i);
      expect(mail.html).toContain(words("invitationAction"));
      expect(mail.text).toContain(link);
      const other = await newPage();
      const others = new LanguageCheck(other, language, [person.name, colleague.name]);
      await other.goto(link);
      await field(fields("yourName"), other).fill(colleague.name);
      await others.look("invitation");
      await other.locator("input[name=password]").fill(colleague.password);
      await button(said("joining")("join"), other).click();
      await other.waitForURL(({ pathname }) => pathname !== "/invite");
      await isAlive(other);
      await others.look("home of the colleague");
      check.faults.push(...others.faults);
    });
    expect(check.faults).toEqual([]);
  } finally {
    await receiver.close();
    await stop();
    await Promise.all([openai.close(), mailServer.close()]);
  }
}
