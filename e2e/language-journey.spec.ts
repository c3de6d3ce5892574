import { signedOut, test } from "./fixtures.ts";
import { languageJourney } from "./pages/language-journey.ts";

test.use(signedOut);

test("in a longer language, nothing on the way from set-up to the first colleague is untranslated, cut or covered", async ({
  browser,
}) => languageJourney(browser, "en-XA"));
