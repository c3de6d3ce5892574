import { signedOut, test } from "./fixtures.ts";
import { languageJourney } from "./pages/language-journey.ts";

test.use(signedOut);

test("who reads only Chinese gets from set-up to the first colleague without a word of English", async ({
  browser,
}) => languageJourney(browser, "zh-CN"));
