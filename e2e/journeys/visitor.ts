import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extraPackageFile } from "../../scripts/install/ensure-extra-package.ts";
import { puppeteer } from "../../scripts/install/extra-packages.ts";
import { findBrowser } from "../../scripts/install/find-browser.ts";
import { until } from "../seed-data.ts";
import type { Stack } from "../stack.ts";
import type { Browser, Element, Page, Puppeteer } from "./puppeteer.ts";

export type BrowserName = "chrome" | "firefox";
/** The whole name, or a pattern. */
type Name = string | RegExp;

const firefoxPath = "/usr/bin/firefox-esr";
/** Generous, because other tests compute at the same time. */
const waitMs = 60_000;
/** Most tab stops before the end of a page's main part. */
const maxTabs = 150;
const queries = createRequire(import.meta.url).resolve(
  "@testing-library/dom/dist/@testing-library/dom.umd.min.js",
);

/**
 * A person at a browser, who finds elements by role and name. Counts mouse clicks, not keys. Works the same
 * in Chromium and Firefox, over WebDriver BiDi.
 */
export class Visitor {
  clicks = 0;
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async start(name: BrowserName): Promise<Visitor> {
    const { default: launcher } = (await import(extraPackageFile(puppeteer))) as { default: Puppeteer };
    const browser = await launcher.launch({
      browser: name,
      executablePath: name === "firefox" ? firefoxPath : findBrowser(),
      protocol: "webDriverBiDi",
      protocolTimeout: waitMs,
      headless: true,
      ...(name === "chrome" && process.getuid?.() === 0 && { args: ["--no-sandbox"] }),
    });
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    // Without the line break, the comment in the file's last line would continue.
    await page.evaluateOnNewDocument(`${await readFile(queries, "utf8")}\n`);
    return new Visitor(browser, page);
  }

  async leave(): Promise<void> {
    await this.#browser.close();
  }

  async signIn({ consoleUrl, owner }: Stack): Promise<void> {
    await this.#page.goto(`${consoleUrl}/sign-in`);
    await this.type("textbox", "E-mail", owner.email);
    await this.press("Tab");
    await this.#page.keyboard.type(owner.password);
    await this.press("Enter");
    await this.sees("heading", "Home");
  }

  /** Opens an address that somebody else sent. */
  async goTo(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  /** Clicks the first element with this role and name. */
  async click(role: string, name: Name): Promise<void> {
    const element = await this.#find(role, name);
    await this.#wait(`${role} ${name} ready`, () => element.evaluate(isReady));
    // Scrolls the element to a place that no fixed bar covers.
    await element.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await this.#wait(`${role} ${name} at rest`, () => element.evaluate(isAtRest));
    await element.click();
    await element.dispose();
    this.clicks += 1;
  }

  /** Clicks, and chooses a file in the dialog that opens. */
  async chooseFile(role: string, name: Name, path: string): Promise<void> {
    const chooser = this.#page.waitForFileChooser({ timeout: waitMs });
    await Promise.all([chooser, this.click(role, name)]);
    await (await chooser).accept([path]);
  }

  /** Types into a field that the Tab key reached. */
  async type(role: string, name: Name, text: string): Promise<void> {
    const field = await this.#find(role, name);
    const isReached = () => field.evaluate((one) => one === document.activeElement);
    for (let steps = 0; !(await isReached()); steps += 1) {
      if (steps === maxTabs) throw new Error(`the Tab key does not lead to ${role} ${name}`);
      await this.press("Tab");
    }
    await field.dispose();
    await this.#page.keyboard.type(text);
  }

  press(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  /** Opens the palette with its keys, and types into it. */
  async search(text: string): Promise<void> {
    await this.#withControl("k");
    await this.sees("combobox", "Search or go to");
    await this.#page.keyboard.type(text);
  }

  async sees(role: string, name: Name): Promise<void> {
    await (await this.#find(role, name)).dispose();
  }

  async reads(text: string, longestMs = waitMs): Promise<void> {
    const isRead = `document.body.innerText.includes(${JSON.stringify(text)})`;
    await this.#wait(text, () => this.#page.evaluate<boolean>(isRead), longestMs);
  }

  /** The text that the visitor copied, as pasted elsewhere. */
  async pasted(): Promise<string> {
    // Behind an open dialog nothing takes the focus.
    const place = `(document.querySelector("dialog:modal") ?? document.body)`;
    await this.#page.evaluate(`${place}.appendChild(document.createElement("textarea")).focus()`);
    // The browser may still be writing what was copied.
    return this.#wait("what was copied", async () => {
      await this.#withControl("a");
      await this.#withControl("v");
      return this.#page.evaluate<string>("document.activeElement.value");
    });
  }

  async #withControl(key: string): Promise<void> {
    await this.#page.keyboard.down("Control");
    await this.press(key);
    await this.#page.keyboard.up("Control");
  }

  #find(role: string, name: Name): Promise<Element> {
    const query = `${queryFor(role, name)}[0]`;
    return this.#wait(`${role} ${name}`, async () => (await this.#page.evaluateHandle(query)).asElement());
  }

  /** Asks until there is an answer. A page that is being left does not answer. */
  #wait<Value>(what: string, ask: () => Promise<Value>, longestMs = waitMs): Promise<NonNullable<Value>> {
    const answer = async () => (await ask().catch(() => null)) || undefined;
    return until(answer, longestMs).catch(async () => {
      const read = await this.#page.evaluate<string>(shownText).catch(String);
      throw new Error(`${what} was not to be seen at ${this.#page.url()}, which reads:\n${read}`);
    });
  }
}

/** The text of the page, and which boxes are checked. */
const shownText =
  `document.querySelector("main").innerText + "\\nChecked: " + ` +
  `[...document.querySelectorAll("main :checked")].map((box) => box.labels?.[0]?.innerText ?? box.value).join(", ")`;

/** Finds visible elements like a screen reader. Nothing behind an open dialog can be used. */
const queryFor = (role: string, name: Name) =>
  `TestingLibraryDom.queryAllByRole(document.querySelector("dialog:modal") ?? document.body, ` +
  `${JSON.stringify(role)}, { name: ${typeof name === "string" ? JSON.stringify(name) : name} })`;

/** A click is lost before React controls the element, and while it is disabled. */
const isReady = (element: HTMLElement) =>
  Object.keys(element).some((name) => name.startsWith("__reactProps")) &&
  !element.matches(":disabled, [aria-disabled=true]");

/** The page may still move under the mouse after a choice or while it loads. */
const isAtRest = (element: HTMLElement) => {
  const { top, left } = element.getBoundingClientRect();
  const isThere = () => {
    const now = element.getBoundingClientRect();
    return now.top === top && now.left === left;
  };
  return new Promise<boolean>((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(isThere()))),
  );
};
