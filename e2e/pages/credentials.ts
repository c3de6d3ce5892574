import type { Page } from "@playwright/test";

/** Any text that looks like a credential of the gateway, even if the tests do not know it. */
export const credentialShapes = {
  accountKey: /svc_live_[A-Za-z0-9]{10}_[A-Za-z0-9]{49}/,
  session: /svc_sess_[A-Za-z0-9]{49}/,
  webhookSecret: /whsec_[A-Za-z0-9+/]{43}=/,
};

export function holdsCredential(text: string): boolean {
  return Object.values(credentialShapes).some((shape) => shape.test(text));
}

/** The current document with its forms, and everything that scripts of the page can read. */
export function keptInPage(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
      { ...localStorage },
      { ...sessionStorage },
      history.state,
      location.href,
      document.cookie,
      window.name,
    ]),
  );
}
