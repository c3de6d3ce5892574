import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { puppeteer } from "../../scripts/install/beside.ts";
import { besideFile } from "../../scripts/install/ensure-beside.ts";
import { findBrowser } from "../browser.ts";
import type { Stack } from "../stack.ts";

/** What this file uses of Puppeteer, which is no dependency of the project. */
interface Puppeteer {
  launch(options: object): Promise<Browser>;
}
interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  url(): string;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluate<Result>(script: string): Promise<Result>;
  evaluateHandle(script: string): Promise<{ asElement(): Element | null }>;
  screenshot(options: { path: string }): Promise<unknown>;
  keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
}
interface Element {
  click(): Promise<void>;
  uploadFile(...paths: string[]): Promise<void>;
  dispose(): Promise<void>;
}

export type BrowserName = "chrome" | "firefox";

const firefoxPath = "/usr/bin/firefox-esr";
const waitMs = 20_000;
const askEveryMs = 100;
/** More are on no page before its main part ends. */
const mostTabs = 150;

/**
 * A person at a browser, who finds things by their role and name and counts the clicks. Chromium and Firefox do the same, both by
 * WebDriver BiDi.
 */
export class Visitor {
  clicks = 0;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #queries: string;

  private constructor(browser: Browser, page: Page, queries: string) {
    this.#browser = browser;
    this.#page = page;
    this.#queries = queries;
  }

  static async start(name: BrowserName): Promise<Visitor> {
    const { default: launcher } = (await import(besideFile(puppeteer))) as { default: Puppeteer };
    const browser = await launcher.launch({
      browser: name,
      executablePath: name === "firefox" ? firefoxPath : findBrowser(),
      protocol: "webDriverBiDi",
      headless: true,
      ...(name === "chrome" && process.getuid?.() === 0 && { args: ["--no-sandbox"] }),
    });
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    const file = createRequire(import.meta.url).resolve(
      "@testing-library/dom/dist/@testing-library/dom.umd.min.js",
    );
    return new Visitor(browser, page, await readFile(file, "utf8"));
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async signIn({ consoleUrl, owner }: Stack): Promise<void> {
    await this.open(`${consoleUrl}/sign-in`);
    await this.type("textbox", "E-mail", owner.email);
    await this.press("Tab");
    await this.#page.keyboard.type(owner.password);
    await this.press("Enter");
    await this.sees("heading", "Home");
  }

  /** Clicks what has this role and this name, or a name that begins with it. */
  async click(role: string, name: string): Promise<void> {
    await this.#press(await this.#found(role, beginsWith(name)));
    this.clicks += 1;
  }

  /** Types into a field, to which the Tab key leads: that is no click. */
  async type(role: string, name: string, text: string): Promise<void> {
    await (await this.#found(role, beginsWith(name))).dispose();
    const isReached = `document.activeElement === ${queryFor(role, beginsWith(name))}[0]`;
    for (let steps = 0; !(await this.#page.evaluate<boolean>(isReached)); steps += 1) {
      if (steps === mostTabs) throw new Error(`the Tab key does not lead to ${role} ${name}`);
      await this.press("Tab");
    }
    await this.#page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  /** What a person chooses in the window that the system opens counts as one click. */
  async chooseFile(name: string, path: string): Promise<void> {
    const input = await this.#found("labelled", beginsWith(name));
    await input.uploadFile(path);
    this.clicks += 1;
  }

  /** Waits for something with this role and name. */
  async sees(role: string, name: string): Promise<void> {
    await (await this.#found(role, beginsWith(name))).dispose();
  }

  async seesText(text: string, longestMs = waitMs): Promise<void> {
    await this.#until(`document.body.innerText.includes(${JSON.stringify(text)})`, text, longestMs);
  }

  /** The one of these names that something of the role has. */
  async either(role: string, names: readonly string[]): Promise<string> {
    const has = (name: string) => `${queryFor(role, beginsWith(name))}.length > 0`;
    await this.#until(names.map(has).join(" || "), `${role} ${names.join(" or ")}`);
    for (const name of names) if (await this.#page.evaluate<boolean>(has(name))) return name;
    throw new Error("unreachable");
  }

  /** Opens the palette with its keys, and types into it. */
  async palette(text: string): Promise<void> {
    await this.#page.keyboard.down("Control");
    await this.press("k");
    await this.#page.keyboard.up("Control");
    await this.sees("combobox", "Search or go to");
    await this.#page.keyboard.type(text);
  }

  /** Clicks a button of the dialog that is open, which the page may have a second time. */
  async confirm(name: string): Promise<void> {
    const query = `[...document.querySelectorAll("dialog[open] button")].filter((one) => one.textContent === ${JSON.stringify(name)})`;
    await this.#until(`${query}.length > 0`, `button ${name} of a dialog`);
    const button = (await this.#page.evaluateHandle(`${query}[0]`)).asElement();
    if (button) await this.#press(button);
    this.clicks += 1;
  }

  async screenshot(path: string): Promise<void> {
    await this.#page.screenshot({ path });
  }

  async leave(): Promise<void> {
    await this.#browser.close();
  }

  async #press(element: Element): Promise<void> {
    await element.click();
    await element.dispose();
  }

  async #found(role: string, name: string): Promise<Element> {
    const query = queryFor(role, name);
    await this.#until(`${query}.length > 0`, `${role} ${name}`);
    const element = (await this.#page.evaluateHandle(`${query}[0]`)).asElement();
    if (!element) throw new Error(`${role} ${name} went away`);
    return element;
  }

  async #until(condition: string, what: string, longestMs = waitMs): Promise<void> {
    const endAt = Date.now() + longestMs;
    for (;;) {
      // A new page has no queries yet.
      await this.#page.evaluate(`window.TestingLibraryDom || (() => { ${this.#queries} })()`).catch(() => {});
      if (await this.#page.evaluate<boolean>(condition).catch(() => false)) return;
      if (Date.now() > endAt) throw new Error(`${what} was not to be seen at ${this.#page.url()}`);
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    }
  }
}

/** What finds elements by role, or with "labelled" by label; `name` is a text or a pattern, as JavaScript writes it. */
const queryFor = (role: string, name: string) =>
  role === "labelled"
    ? `window.TestingLibraryDom.queryAllByLabelText(document.body, ${name})`
    : `window.TestingLibraryDom.queryAllByRole(document.body, ${JSON.stringify(role)}, { name: ${name} })`;

const beginsWith = (name: string) => `/^${name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}/`;
